// Paints one row of cells: floors first, then text over them, then lines, then the outline of the cursor.
import type { CellBox } from "./cell-box.ts";
import type { EngineLine } from "./engine.ts";
import type { Glyphs } from "./glyphs.ts";
import { type CellColors, colorsOf, type Palette, underlineColorOf } from "./palette.ts";
import type { RowRaster } from "./raster.ts";
import { type LineLook, paintLines } from "./text-lines.ts";

/** Every foreground is lifted to this contrast on every background: a diff must read on any scheme. */
export const MINIMUM_CONTRAST = 4.5;

const CODE_POINT = 0x1fffff;
const IS_COMBINED = 0x200000;
const WIDTH_SHIFT = 22;
const FG_BOLD = 0x8000000;
const FG_UNDERLINE = 0x10000000;
const FG_INVISIBLE = 0x40000000;
const FG_STRIKE = 0x80000000;
const BG_ITALIC = 0x4000000;
const BG_EXTENDED = 0x10000000;
const BG_OVERLINE = 0x40000000;
const SPACE = 0x20;

export interface Row {
  line: EngineLine;
  cols: number;
  /** The cursor stands in this row. */
  cursorCol: number | null;
}

interface Tools {
  box: CellBox;
  glyphs: Glyphs;
  palette: Palette;
}

export function paintRow(raster: RowRaster, row: Row, tools: Tools): void {
  const { line, cols, cursorCol } = row;
  const { box, palette } = tools;
  raster.clear(palette.background);
  const colors = rowColors(line, cols, palette);
  for (let col = 0; col < cols; col++) {
    const { bg } = colors[col]!;
    if (bg === palette.background) continue;
    const from = Math.round(col * box.widthPx);
    raster.fill(from, 0, Math.round((col + 1) * box.widthPx) - from, raster.h, bg);
  }
  for (let col = 0; col < cols; col++) paintText(raster, line, col, colors[col]!, tools);
  if (cursorCol !== null) {
    const from = Math.round(cursorCol * box.widthPx);
    const widthCols = Math.max(1, line._data[cursorCol * 3]! >>> WIDTH_SHIFT);
    const to = Math.round((cursorCol + widthCols) * box.widthPx);
    const thick = Math.max(1, Math.round(box.ratio));
    raster.frame(from, 0, to - from, raster.h, thick, palette.cursor);
  }
}

/** Of each cell; the second half of a wide one has those of the first. */
function rowColors(line: EngineLine, cols: number, palette: Palette): CellColors[] {
  const all: CellColors[] = [];
  let [lastFg, lastBg] = [-1, -1];
  let lastCode = -1;
  for (let col = 0; col < cols; col++) {
    const content = line._data[col * 3] ?? 0;
    const [fgWord, bgWord] = [line._data[col * 3 + 1] ?? 0, line._data[col * 3 + 2] ?? 0];
    const codePoint = content & IS_COMBINED ? 0 : content & CODE_POINT;
    // Code points matter only where line drawing begins; neighbours mostly look alike.
    const code = codePoint < 0x2500 ? 0 : codePoint;
    const alike = fgWord === lastFg && bgWord === lastBg && code === lastCode;
    all.push(
      alike ? all[col - 1]! : colorsOf(palette, { fgWord, bgWord, codePoint: code }, MINIMUM_CONTRAST),
    );
    [lastFg, lastBg, lastCode] = [fgWord, bgWord, code];
  }
  return all;
}

function paintText(raster: RowRaster, line: EngineLine, col: number, colors: CellColors, tools: Tools): void {
  const content = line._data[col * 3] ?? 0;
  const widthCols = content >>> WIDTH_SHIFT;
  if (widthCols === 0) return;
  const { box, glyphs, palette } = tools;
  const [fgWord, bgWord] = [line._data[col * 3 + 1]!, line._data[col * 3 + 2]!];
  const code = content & CODE_POINT;
  const bold = (fgWord & FG_BOLD) !== 0;
  const x = col * box.widthPx;
  if ((content & IS_COMBINED || code > SPACE) && (fgWord & FG_INVISIBLE) === 0) {
    const text = content & IS_COMBINED ? (line._combined[col] ?? "") : String.fromCodePoint(code);
    const italic = (bgWord & BG_ITALIC) !== 0;
    const { glyph, cellX } = glyphs.glyph({ text, widthCols, bold, italic, rgb: colors.fg, x });
    raster.draw(glyph, cellX, colors.fg);
  }
  const extended = bgWord & BG_EXTENDED ? (line._extendedAttrs[col]?._ext ?? 0) : 0;
  const look: LineLook = {
    underline: fgWord & FG_UNDERLINE ? (extended >> 26) & 7 || 1 : 0,
    strike: (fgWord & FG_STRIKE) !== 0,
    overline: (bgWord & BG_OVERLINE) !== 0,
  };
  if (look.underline === 0 && !look.strike && !look.overline) return;
  const to = Math.round((col + widthCols) * box.widthPx);
  paintLines(raster, { from: Math.round(x), to }, look, {
    box,
    text: colors.fg,
    underline: underlineColorOf(palette, extended, bold) ?? colors.fg,
  });
}
