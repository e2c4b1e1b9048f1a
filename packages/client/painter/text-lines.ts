// Lines under, through and over text, where Chromium draws them for text without a rule of its own.
import type { CellBox } from "./cell-box.ts";
import type { RowRaster } from "./raster.ts";

export interface LineLook {
  /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
  underline: number;
  strike: boolean;
  overline: boolean;
}

export function paintLines(
  raster: RowRaster,
  { from, to }: { from: number; to: number },
  look: LineLook,
  { box, text, underline }: { box: CellBox; text: number; underline: number },
): void {
  const thick = Math.max(1, Math.round(box.fontPx / 10));
  const under = box.baselinePx + Math.max(1, Math.ceil(thick / 2));
  const ascent = box.baselinePx - box.topOfTextPx;
  const middle = Math.floor(box.topOfTextPx + (2 * ascent) / 3 - thick / 2);
  switch (look.underline) {
    case 0:
      break;
    case 2:
      raster.fill(from, under, to - from, thick, underline);
      raster.fill(from, under + 2 * thick, to - from, thick, underline);
      break;
    case 3:
      // A zigzag of whole steps, as long as two of them are high.
      for (let x = from; x < to; x++) {
        const step = Math.floor(x / (2 * thick)) % 2;
        raster.fill(x, under + (1 - step) * thick + 1, 1, thick, underline);
      }
      break;
    case 4:
    case 5: {
      const on = look.underline === 4 ? thick : 3 * thick;
      for (let x = from; x < to; x++) if (x % (on * 2) < on) raster.fill(x, under, 1, thick, underline);
      break;
    }
    default:
      raster.fill(from, under, to - from, thick, underline);
  }
  if (look.strike) raster.fill(from, middle, to - from, thick, text);
  if (look.overline) raster.fill(from, box.topOfTextPx - thick, to - from, thick, text);
}
