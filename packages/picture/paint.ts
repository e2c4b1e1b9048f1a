// Rows of cells -> pixels. First every ground, then what stands on it: a glyph may reach into its neighbours.
import { type Cell, cellsOf, type ShownCursor, type ShownRows } from "@kolu/screen/cells.ts";
import { type Look, lookOf, type Palette } from "./cell-look.ts";
import { CELL, type Glyphs } from "./glyphs.ts";
import { blend, createPixels, fillRect, type Pixels } from "./pixels.ts";

/** Free space around the cells. */
const MARGIN_PX = 8;
const UNDERLINE_PX = 16;
const STRIKE_PX = 9;

/** @param cols width of the screen; rows may be shorter */
export function paint(shown: ShownRows, cols: number, palette: Palette, glyphs: Glyphs): Pixels {
  const widthPx = cols * CELL.widthPx + 2 * MARGIN_PX;
  const heightPx = shown.lines.length * CELL.heightPx + 2 * MARGIN_PX;
  const pixels = createPixels(widthPx, heightPx);
  fillRect(pixels, { x: 0, y: 0, w: widthPx, h: heightPx }, palette.background);
  const rows = shown.lines.map((line) =>
    cellsOf(line).map((cell) => ({ cell, look: lookOf(cell, palette) })),
  );
  rows.forEach((cells, row) => {
    for (const { cell, look } of cells)
      if (look.ground !== palette.background) fillRect(pixels, boxOf(cell, row), look.ground);
  });
  const block = shown.cursor?.style === "block" ? paintBlock(pixels, shown.cursor, rows, palette) : null;
  rows.forEach((cells, row) => {
    for (const { cell, look } of cells) {
      const isUnderBlock = block?.row === row && block.column === cell.column;
      paintCell(
        pixels,
        { cell, row, look: isUnderBlock ? { ...look, ink: palette.cursorText } : look },
        glyphs,
      );
    }
  });
  if (shown.cursor && shown.cursor.style !== "block") paintThinCursor(pixels, shown.cursor, palette);
  return pixels;
}

function boxOf(cell: { column: number; widthCols: number }, row: number) {
  return {
    x: MARGIN_PX + cell.column * CELL.widthPx,
    y: MARGIN_PX + row * CELL.heightPx,
    w: cell.widthCols * CELL.widthPx,
    h: CELL.heightPx,
  };
}

/** On the second half of a wide character the whole of it is meant. */
function paintBlock(
  pixels: Pixels,
  cursor: ShownCursor,
  rows: { cell: Cell }[][],
  palette: Palette,
): { row: number; column: number } {
  const under = rows[cursor.row]!.find(
    ({ cell }) => cell.column <= cursor.column && cursor.column < cell.column + cell.widthCols,
  );
  const { column, widthCols } = under?.cell ?? { column: cursor.column, widthCols: 1 };
  fillRect(pixels, boxOf({ column, widthCols }, cursor.row), palette.cursor);
  return { row: cursor.row, column };
}

function paintThinCursor(pixels: Pixels, { row, column, style }: ShownCursor, palette: Palette): void {
  const { x, y, w, h } = boxOf({ column, widthCols: 1 }, row);
  fillRect(pixels, style === "bar" ? { x, y, w: 2, h } : { x, y: y + h - 2, w, h: 2 }, palette.cursor);
}

function paintCell(
  pixels: Pixels,
  { cell, row, look }: { cell: Cell; row: number; look: Look },
  glyphs: Glyphs,
): void {
  if (cell.invisible) return;
  const { x, y, w } = boxOf(cell, row);
  const mask = cell.text === "" ? null : glyphs.glyph(cell.text, cell);
  if (mask) blend(pixels, mask, x, y, look.ink);
  if (cell.underline !== "none") paintUnderline(pixels, cell, { x, y: y + UNDERLINE_PX, w }, look.underline);
  if (cell.strike) fillRect(pixels, { x, y: y + STRIKE_PX, w, h: 1 }, look.ink);
  if (cell.overline) fillRect(pixels, { x, y, w, h: 1 }, look.ink);
}

/** Patterns go on over the cells' edges, because they count from the left of the picture. */
function paintUnderline(
  pixels: Pixels,
  { underline }: Cell,
  { x, y, w }: { x: number; y: number; w: number },
  rgb: number,
): void {
  const dot = (at: number, down: number): void => fillRect(pixels, { x: at, y: y + down, w: 1, h: 1 }, rgb);
  switch (underline) {
    case "none":
      return;
    case "single":
      fillRect(pixels, { x, y, w, h: 1 }, rgb);
      return;
    case "double":
      fillRect(pixels, { x, y: y - 1, w, h: 1 }, rgb);
      fillRect(pixels, { x, y: y + 1, w, h: 1 }, rgb);
      return;
    case "curly":
      for (let at = x; at < x + w; at++) dot(at, [0, 1, 1, 0, -1, -1][at % 6]!);
      return;
    case "dotted":
      for (let at = x; at < x + w; at++) if (at % 3 === 0) dot(at, 0);
      return;
    case "dashed":
      for (let at = x; at < x + w; at++) if (at % 6 < 4) dot(at, 0);
      return;
    default:
      underline satisfies never;
  }
}
