// Finding text in lines. Pure.

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

export interface Found {
  /** Index of the line. */
  at: number;
  matchStart: number;
  matchLength: number;
}

/** Without capitals the query matches any case, as editors do. */
export function isCaseSensitive(query: string): boolean {
  return query !== query.toLowerCase();
}

/** The first match of every line that has one, the last line first. */
export function findInLines(lines: readonly string[], query: string): Found[] {
  const pattern = new RegExp(query.replace(SYNTAX, "\\$&"), isCaseSensitive(query) ? "u" : "iu");
  const found: Found[] = [];
  for (let at = lines.length - 1; at >= 0; at--) {
    const match = pattern.exec(lines[at]!);
    if (match) found.push({ at, matchStart: match.index, matchLength: match[0].length });
  }
  return found;
}
