// Where the cells of a grid lie in device pixels, exactly where the live renderer lays them out (xterm.js 6.0.0,
// DomRenderer._updateDimensions, and Chromium's line boxes). Pure.
import type { Grid } from "../terminal/geometry.ts";

/** How text is drawn, in CSS pixels, measured by the page. */
export interface Drawing {
  fontPx: number;
  lineHeight: number;
  /** Advance of W. */
  advancePx: number;
  ascentPx: number;
  descentPx: number;
  /** Device pixels in a CSS pixel. */
  ratio: number;
}

export interface CellBox {
  grid: Grid;
  /** Of the font, in device pixels. */
  fontPx: number;
  ratio: number;
  /** A cell is this wide; columns begin at multiples, also between two pixels. */
  widthPx: number;
  heightPx: number;
  /** From the top of a row to the line that text stands on. */
  baselinePx: number;
  /** From the top of a row to where the font's own box begins. */
  topOfTextPx: number;
  /** All cells, in whole device pixels. */
  canvas: { w: number; h: number };
}

export function cellBoxOf(
  grid: Grid,
  { fontPx, lineHeight, advancePx, ascentPx, descentPx, ratio }: Drawing,
): CellBox {
  const charHeight = Math.ceil((ascentPx + descentPx) * ratio);
  const cellHeight = Math.floor(charHeight * lineHeight + 1e-6);
  const cssWidth = Math.round(advancePx * grid.cols);
  const cssHeight = Math.round((cellHeight * grid.rows) / ratio);
  const heightPx = (cssHeight * ratio) / grid.rows;
  // A line box shares what its height has over the font's between above and below; the font's own come in whole pixels.
  const ascent = Math.round(ascentPx);
  const leading = Math.floor((cssHeight / grid.rows - ascent - Math.round(descentPx)) / 2);
  return {
    grid,
    fontPx: fontPx * ratio,
    ratio,
    widthPx: (cssWidth / grid.cols + advancePx - measuredAdvance(advancePx)) * ratio,
    heightPx,
    baselinePx: Math.round((leading + ascent) * ratio),
    topOfTextPx: Math.round(leading * ratio),
    canvas: { w: Math.round(cssWidth * ratio), h: Math.round(cssHeight * ratio) },
  };
}

/**
 * The live renderer spaces letters by what it measures of a letter, thirty-two of them in whole pixels: that much its
 * columns are narrower or wider than its cells.
 */
function measuredAdvance(advancePx: number): number {
  return Math.round(advancePx * 32) / 32;
}

/** The rows of pixels that a row of cells takes. */
export function rowSpan({ heightPx }: CellBox, row: number): { top: number; height: number } {
  const top = Math.round(row * heightPx);
  return { top, height: Math.round((row + 1) * heightPx) - top };
}
