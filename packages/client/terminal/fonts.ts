// The font of terminals and the size of its cells, as the renderer will lay them out.
import { addBoxFont, BOX_FONT } from "./box-font.ts";
import type { Cell } from "./geometry.ts";

export const TERMINAL_FONT = `"JetBrains Mono", "${BOX_FONT}", "DejaVu Sans Mono", Menlo, monospace`;
export const FONT_MIN_PX = 6;
export const FONT_MAX_PX = 40;

addBoxFont();

/** Measuring before the faces have arrived would measure the fallback, so every terminal waits for this once. */
export const fontsReady: Promise<unknown> = Promise.all(
  ["", "bold ", "italic ", "italic bold "].map((style) =>
    document.fonts.load(`${style}14px "JetBrains Mono"`),
  ),
);

const context = new OffscreenCanvas(1, 1).getContext("2d")!;
const cells = new Map<string, Cell>();
/** Sizes that are remembered; zooming makes new ones without end. */
const CELLS_MAX = 500;

/** The same measure as xterm.js takes: the advance of W, and the font's height rounded up to whole device pixels. */
export function measureCell(fontPx: number): Cell {
  const ratio = window.devicePixelRatio;
  const key = `${fontPx} ${ratio}`;
  const known = cells.get(key);
  if (known) return known;
  context.font = `${fontPx}px ${TERMINAL_FONT}`;
  const metrics = context.measureText("W");
  const heightPx =
    Math.ceil((metrics.fontBoundingBoxAscent + metrics.fontBoundingBoxDescent) * ratio) / ratio;
  if (cells.size >= CELLS_MAX) cells.clear();
  const cell = { widthPx: metrics.width, heightPx };
  cells.set(key, cell);
  return cell;
}
