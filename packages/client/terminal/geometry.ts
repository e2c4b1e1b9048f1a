// Cells and pixels of one terminal: how many cells a box holds, and at which font a grid fills a box at a zoom. Pure;
// the measure is given, because only the page knows its fonts.
import { GRID_MAX_COLS, GRID_MAX_ROWS, GRID_MIN } from "@kolu/contract/limits.ts";

export interface Grid {
  cols: number;
  rows: number;
}

export interface Cell {
  widthPx: number;
  heightPx: number;
}

/** The size of one cell at a font size, exactly as the renderer will lay it out. */
export type MeasureCell = (fontPx: number) => Cell;

/** Space between the edge of a tile's body and its cells. */
export const PADDING_PX = 6;

/** The grid that fills a box at a cell size. */
export function gridFor(box: { w: number; h: number }, cell: Cell): Grid {
  return {
    cols: clamp(Math.floor((box.w - 2 * PADDING_PX) / cell.widthPx), GRID_MIN, GRID_MAX_COLS),
    rows: clamp(Math.floor((box.h - 2 * PADDING_PX) / cell.heightPx), GRID_MIN, GRID_MAX_ROWS),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

export interface Fit {
  fontPx: number;
  /** Stretches rows downwards to whole pixels (xterm's lineHeight, at least 1). */
  lineHeight: number;
  /** Where the cells begin and how much they take, in screen pixels inside the box. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** The grid is another viewer's: it is drawn in the middle, and the room around it is dimmed. */
  letterboxed: boolean;
}

export interface FitInput {
  grid: Grid;
  /** The body of the tile in canvas pixels. */
  box: { w: number; h: number };
  /** The font a person chose, in canvas pixels. */
  fontPx: number;
  zoom: number;
  measure: MeasureCell;
}

const FONT_MIN_PX = 1;
const FONT_STEP_PX = 0.05;
/** Cells by which a grid differs from the one that this box would have, from which it is seen to be another viewer's. */
const LETTERBOX_CELLS = 2;

/**
 * How a grid is drawn in a box at a zoom: at the person's font times the zoom, or smaller where the grid would not fit.
 * Cells are laid out by the renderer at real screen pixels, never scaled, so that text is sharp and a pointer position
 * means a cell. Their height comes in whole pixels: the font gives way by a little so that the grid, which was chosen
 * at 100 %, still fits, and the line height takes up what is left.
 */
export function fitGrid({ grid, box, fontPx, zoom, measure }: FitInput): Fit {
  const padding = PADDING_PX * zoom;
  const room = { w: box.w * zoom - 2 * padding, h: box.h * zoom - 2 * padding };
  const base = measure(fontPx);
  // What the grid takes at 100 %, times the zoom: both the target and the limit. Where the width is short, rows shrink
  // with the columns: cells keep their shape.
  const wholeWidth = grid.cols * base.widthPx * zoom;
  const shrink = Math.min(1, room.w / wholeWidth);
  const wholeRow = base.heightPx * zoom;
  const target = {
    w: wholeWidth * shrink,
    h: Math.min(room.h, grid.rows * (shrink < 1 ? Math.ceil(wholeRow * shrink) : wholeRow)),
  };
  const font = largestFont(grid, target, fontPx * zoom, measure);
  const cell = measure(font);
  const rowTarget = Math.floor(target.h / grid.rows + 1e-6);
  const lineHeight = Math.max(1, rowTarget / cell.heightPx);
  const rowPx = Math.floor(cell.heightPx * lineHeight + 1e-6);
  const width = grid.cols * cell.widthPx;
  const height = grid.rows * rowPx;
  const own = gridFor(box, base);
  const letterboxed =
    Math.abs(own.cols - grid.cols) >= LETTERBOX_CELLS || Math.abs(own.rows - grid.rows) >= LETTERBOX_CELLS;
  return {
    fontPx: font,
    lineHeight,
    left: Math.round(letterboxed ? padding + (room.w - width) / 2 : padding),
    top: Math.round(letterboxed ? padding + (room.h - height) / 2 : padding),
    width,
    height,
    letterboxed,
  };
}

/** Steps down from the wanted size until the grid fits; proportion first, then small steps for the rounded heights. */
function largestFont(
  grid: Grid,
  target: { w: number; h: number },
  wantedPx: number,
  measure: MeasureCell,
): number {
  const slack = 1e-6;
  let font = wantedPx;
  const wanted = measure(font);
  font *= Math.min(1, target.w / (grid.cols * wanted.widthPx));
  for (;;) {
    const cell = measure(font);
    if (grid.cols * cell.widthPx <= target.w + slack && grid.rows * cell.heightPx <= target.h + slack)
      return font;
    if (font - FONT_STEP_PX <= FONT_MIN_PX) return FONT_MIN_PX;
    // Far off (a grid much higher than the box): a jump, never past the answer because heights round up.
    const ratio = Math.floor(target.h / grid.rows) / cell.heightPx;
    font = Math.min(font - FONT_STEP_PX, ratio > 0 && ratio < 0.9 ? font * ratio * 1.08 : font);
  }
}

/**
 * The transform that puts a host of real screen pixels into a scaled canvas: net scale 1, and moved by less than a
 * pixel so that its corner lies on a whole one. `left` and `top` are where the host begins, in canvas pixels.
 */
export function counterTransform(at: { left: number; top: number }, zoom: number): string {
  const dx = (Math.round(at.left * zoom) - at.left * zoom) / zoom;
  const dy = (Math.round(at.top * zoom) - at.top * zoom) / zoom;
  return `translate(${dx}px, ${dy}px) scale(${1 / zoom})`;
}
