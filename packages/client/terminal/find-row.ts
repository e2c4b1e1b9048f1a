// Which row of a terminal holds a line that was found elsewhere. Pure.

/** A line as a search has found it, in a screen that may have moved since. */
export interface LineTarget {
  text: string;
  /** Lines between it and the last one that is not blank, when it was found. */
  linesFromEnd: number;
  /** In `text`, in UTF-16 units. */
  matchStart: number;
  matchLength: number;
}

/** Of equal rows the one nearest to where it was; where none is equal any more, the nearest that holds the match. */
export function findRow(
  rowCount: number,
  textOf: (row: number) => string,
  { text, linesFromEnd, matchStart, matchLength }: LineTarget,
): number | null {
  let last = rowCount - 1;
  while (last > 0 && textOf(last).trim() === "") last--;
  const expected = Math.min(rowCount - 1, Math.max(0, last - linesFromEnd));
  const wanted = text.trimEnd();
  const match = text.slice(matchStart, matchStart + matchLength);
  return (
    nearest(rowCount, expected, (row) => textOf(row).trimEnd() === wanted) ??
    nearest(rowCount, expected, (row) => textOf(row).includes(match))
  );
}

function nearest(rowCount: number, expected: number, holds: (row: number) => boolean): number | null {
  for (let away = 0; away < rowCount; away++) {
    if (expected - away >= 0 && holds(expected - away)) return expected - away;
    if (expected + away < rowCount && holds(expected + away)) return expected + away;
  }
  return null;
}
