// What a program says through its output is text: never markup, never a way to make other text look different.

/** C0, DEL and C1 controls. */
const CONTROLS = /[\x00-\x1f\x7f-\x9f]/g;
/** Marks, embeddings, overrides and isolates of the bidirectional algorithm: they reorder what stands around them. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1;
}

/** Without controls and direction controls, cut to `maxChars`. */
export function plainText(text: string, maxChars: number): string {
  const plain = text.replace(CONTROLS, "").replace(DIRECTION_CONTROLS, "");
  if (plain.length <= maxChars) return plain;
  // Never half a surrogate pair.
  const end = /[\ud800-\udbff]/.test(plain[maxChars - 1]!) ? maxChars - 1 : maxChars;
  return plain.slice(0, end);
}

/** Like `plainText`, with line breaks kept and tabs as spaces. */
export function plainLines(text: string, maxChars: number): string {
  return plainText(
    text.replaceAll("\t", " ").replace(/\r\n?/g, "\n").replaceAll("\n", "\u2028"),
    maxChars,
  ).replaceAll("\u2028", "\n");
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Bytes of base64 text, padded or not; null when it is none. */
export function fromBase64(text: string): Buffer | null {
  const digits = text.replace(/=+$/, "");
  if (!BASE64.test(text) || digits.length % 4 === 1) return null;
  return Buffer.from(text, "base64");
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of base64 of UTF-8; null when it is not that. */
export function textFromBase64(text: string): string | null {
  const bytes = fromBase64(text);
  if (bytes === null) return null;
  try {
    return strictUtf8.decode(bytes);
  } catch {
    // Not UTF-8: said as null.
    return null;
  }
}
