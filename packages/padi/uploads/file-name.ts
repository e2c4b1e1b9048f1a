// The name that a handed-over file gets: ours, and like the person's so that a program sees what it is. Pure.

const STEM_MAX_CHARS = 60;
const ENDING_MAX_CHARS = 12;

/** "2026-11-30-4f2a9c-screen-shot.png". Never a dot in front, never a separator, nothing that a shell or terminal acts on. */
export function uploadFileName(given: string, { day, token }: { day: string; token: string }): string {
  const base = given.split(/[/\\]/).at(-1) ?? "";
  const [, stem = "", ending = ""] = /^(.*?)(\.[A-Za-z0-9]+)?$/s.exec(base) ?? [];
  const plain = stem
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  const short = [...plain].slice(0, STEM_MAX_CHARS).join("") || "file";
  return `${day}-${token}-${short}${ending.length > ENDING_MAX_CHARS ? "" : ending.toLowerCase()}`;
}
