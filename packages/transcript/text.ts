// Other people's text made fit for a page: nothing in it is markup, nothing acts unseen. Pure.

/** What a browser could take for markup, inside an element or a quoted attribute. */
const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Controls but tab and newline; direction marks and separators, which make text read as something that it is not. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Sequences that colour a terminal or move its cursor: CSI, OSC up to its end, and two-character ones. */
const ESCAPES =
  /\u001b(?:\[[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][0-9A-B])/g;

/** Text as the content of an element: it is shown, whatever it is. Controls and direction marks become visible. */
export function escapeText(text: string): string {
  return escapeMarkup(normalise(text)).replace(
    UNSEEN,
    (character) => `<span class="unseen">${nameOf(character)}</span>`,
  );
}

/** Text as the value of a quoted attribute, or of an element that holds no other elements. */
export function escapeAttribute(text: string): string {
  return escapeMarkup(normalise(text).replace(UNSEEN, nameOf));
}

function normalise(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, "\n");
}

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => MARKUP[character]!);
}

/** A picture for the controls that have one, the number for everything else. */
function nameOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What a program printed without its colours. A line that was overwritten (`\r`) keeps only its last state. */
export function plainOutput(text: string): string {
  return text
    .replaceAll(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1))
    .join("\n");
}

/**
 * Text of at most `maxChars`: the middle of a longer one is left out, and said to be, because the end of an output tells
 * most and its beginning what it is.
 */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${groupDigits(left)} characters left out …]\n${text.slice(-half)}`;
}

/** The first line with something on it, cut to `maxChars`. */
export function firstLine(text: string, maxChars: number): string {
  const line = text.trimStart().split("\n", 1)[0]!.trimEnd();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}

/** 1234567 as "1 234 567", with a narrow blank that does not break. */
export function groupDigits(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** "1 call", "2 calls". */
export function countOf(count: number, thing: string): string {
  return `${groupDigits(count)} ${thing}${count === 1 ? "" : "s"}`;
}
