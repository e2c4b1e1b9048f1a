// Rows of cells as aligned lines. Pure.
import { fit, neutralise, padTo, widthOf } from "./text.ts";

export interface Column {
  title: string;
  /** How narrow the column may become when the lines do not fit; absent: it is never cut. */
  minWidthCols?: number;
}

/** Cells are separated by this. */
const GAP = "  ";
/** Stands in a cell that has nothing to say. */
export const NOTHING = "—";

/** Colours one cell; `row` is -1 for the titles. The text must not change its width. */
export type Paint = (text: string, row: number, column: number) => string;
const plain: Paint = (text) => text;

/**
 * Aligned lines, the titles first, without blanks at the ends. With a width, the widest of the columns that may shrink
 * gives way first, until the lines fit or nothing can give.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly string[][],
  widthCols: number | null,
  paint: Paint = plain,
): string[] {
  const cells = [columns.map((column) => column.title), ...rows.map((row) => row.map(neutralise))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index] ?? ""))));
  if (widthCols !== null) shrink(columns, widths, widthCols);
  return cells.map((row, rowIndex) => {
    const fitted = row.map((cell, index) => fit(cell, widths[index]!));
    const last = fitted.findLastIndex((cell) => cell !== "");
    return fitted
      .slice(0, last + 1)
      .map((cell, index) => {
        const padding = index === last ? "" : padTo(cell, widths[index]!).slice(cell.length);
        return paint(cell, rowIndex - 1, index) + padding;
      })
      .join(GAP);
  });
}

function shrink(columns: readonly Column[], widths: number[], widthCols: number): void {
  const total = (): number => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  while (total() > widthCols) {
    let widest = -1;
    for (const [index, column] of columns.entries()) {
      const mayShrink = column.minWidthCols !== undefined && widths[index]! > column.minWidthCols;
      if (mayShrink && (widest === -1 || widths[index]! > widths[widest]!)) widest = index;
    }
    if (widest === -1) return;
    widths[widest]! -= 1;
  }
}
