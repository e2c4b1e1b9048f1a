// Which pieces of a terminal's output are links: web addresses, and paths with or without a line. Text from a PTY is not
// trusted: only http and https leave the page, and a path is a link only where padi has found it. Pure.

/** The address to open, or null when it is not one that may be opened. */
export function openableUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}

export type FoundLink = { start: number; end: number } & (
  | { kind: "url"; url: string }
  | { kind: "path"; path: string; line: number | null }
);

/** In one line of output: more are not looked for. */
const LINKS_MAX = 64;
const URLS = /https?:\/\/[^\s"'`<>{}|\\^]+/gi;
/** What a path may be made of; tsc writes `path(line,column)`. */
const WORDS = /[^\s"'`<>()[\]{}|,;*?]+(?:\((\d+),\d+\))?/g;
/** Python: File "path", line 12. */
const PYTHON = /File "([^"]+)", line (\d+)/g;

/** Links of one line of output, in order, none over another. */
export function findLinks(text: string): FoundLink[] {
  const found: FoundLink[] = [];
  const free = (start: number, end: number): boolean =>
    found.length < LINKS_MAX && found.every((link) => end <= link.start || start >= link.end);
  for (const match of text.matchAll(URLS)) {
    const shown = withoutTail(match[0]);
    const url = openableUrl(shown);
    if (url !== null && free(match.index, match.index + shown.length))
      found.push({ kind: "url", url, start: match.index, end: match.index + shown.length });
  }
  for (const match of text.matchAll(PYTHON)) {
    const [all, path = "", line = ""] = match;
    const start = match.index + all.indexOf(path);
    const end = start + path.length;
    if (free(start, end)) found.push({ kind: "path", path, line: lineNumber(line), start, end });
  }
  for (const match of text.matchAll(WORDS)) {
    const link = pathOf(match[0], match[1], match.index);
    if (link && free(link.start, link.end)) found.push(link);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Punctuation behind an address belongs to the sentence, a closing bracket only when it was not opened in it. */
function withoutTail(url: string): string {
  let text = url;
  for (;;) {
    const last = text.at(-1) ?? "";
    const opener = { ")": "(", "]": "[" }[last];
    const unopened = opener !== undefined && count(text, last) > count(text, opener);
    if (!unopened && !/[.,;:!?*_]/.test(last)) return text;
    text = text.slice(0, -1);
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function pathOf(word: string, tscLine: string | undefined, at: number): FoundLink | null {
  if (word.includes("://")) return null;
  const bare = tscLine === undefined ? word : word.slice(0, word.lastIndexOf("("));
  const [, path = "", rawLine, column] = /^(.+?)(?::(\d+)(?::(\d+))?)?(?::.*)?$/s.exec(bare) ?? [];
  const name = path.replace(/[.:]+$/, "");
  const line = rawLine ?? tscLine;
  // A name alone is a word of a sentence until a line follows it.
  if (!/\p{L}/u.test(name) || (line === undefined && !/.\/./.test(name))) return null;
  const shownChars =
    tscLine !== undefined
      ? word.length
      : name.length +
        (rawLine === undefined ? 0 : 1 + rawLine.length) +
        (column === undefined ? 0 : 1 + column.length);
  return {
    kind: "path",
    path: name,
    line: line === undefined ? null : lineNumber(line),
    start: at,
    end: at + shownChars,
  };
}

function lineNumber(text: string): number | null {
  const line = Number(text);
  return Number.isSafeInteger(line) && line > 0 ? line : null;
}
