// A line of output as it was before it was broken into rows, and where each of its characters is. Pure: it sees no more of
// the engine than it needs.

export interface CellLike {
  getChars(): string;
  getWidth(): number;
}
export interface RowLike {
  readonly length: number;
  readonly isWrapped: boolean;
  getCell(column: number): CellLike | undefined;
}
export interface BufferLike {
  getLine(row: number): RowLike | undefined;
}

export interface LogicalLine {
  text: string;
  /** For each UTF-16 unit of the text its row and column. */
  places: readonly { row: number; column: number; width: number }[];
}

/** Up and down from the row that is asked about: the longest line that anybody points at. */
const ROWS_MAX = 40;

/**
 * The line around a row. `broken` also joins what a program broke by itself at the edge, as agents' interfaces do: the one
 * row is full to its last cell and the next begins in its first.
 */
export function logicalLine(buffer: BufferLike, row: number, { broken }: { broken: boolean }): LogicalLine {
  const goesOn = (upper: number): boolean => {
    const next = buffer.getLine(upper + 1);
    if (next === undefined) return false;
    return next.isWrapped || (broken && isInk(buffer.getLine(upper), -1) && isInk(next, 0));
  };
  let top = row;
  while (row - top < ROWS_MAX && top > 0 && goesOn(top - 1)) top -= 1;
  let bottom = row;
  while (bottom - row < ROWS_MAX && goesOn(bottom)) bottom += 1;
  let text = "";
  const places: { row: number; column: number; width: number }[] = [];
  for (let at = top; at <= bottom; at++) {
    const line = buffer.getLine(at);
    for (let column = 0; column < (line?.length ?? 0); column++) {
      const cell = line?.getCell(column);
      const width = cell?.getWidth() ?? 0;
      if (cell === undefined || width === 0 || isLeftFree(buffer, at, column, cell)) continue;
      const chars = cell.getChars() || " ";
      text += chars;
      for (let unit = 0; unit < chars.length; unit++) places.push({ row: at, column, width });
    }
  }
  return { text, places };
}

/** Something is written there that could be part of a link: no blank, and no edge of a box. */
function isInk(row: RowLike | undefined, column: number): boolean {
  const chars = row?.getCell(column < 0 ? row.length + column : column)?.getChars() ?? "";
  return /^[^\s\u2500-\u259f]+$/.test(chars);
}

/** The last cell of a row that a wide character did not fit into: nothing of the text. */
function isLeftFree(buffer: BufferLike, row: number, column: number, cell: CellLike): boolean {
  const line = buffer.getLine(row);
  const next = buffer.getLine(row + 1);
  if (line === undefined || column !== line.length - 1 || cell.getChars() !== "" || !next?.isWrapped)
    return false;
  return next.getCell(0)?.getWidth() === 2;
}
