// The font of terminals and the size of its cells, as the renderer will lay them out.
import { addBoxFont } from "./box-font.ts";
import { TERMINAL_FONT, TEXT_FACES } from "./font-names.ts";
import type { Cell } from "./geometry.ts";

export const FONT_MIN_PX = 6;
export const FONT_MAX_PX = 40;

addBoxFont(document.fonts);

/** Measuring before the faces have arrived would measure the fallback, so every terminal waits for this once. */
export const fontsReady: Promise<unknown> = Promise.all(TEXT_FACES.map((face) => document.fonts.load(face)));

const context = new OffscreenCanvas(1, 1).getContext("2d")!;
interface FontMeasure extends Cell {
  ascentPx: number;
  descentPx: number;
}

const measures = new Map<string, FontMeasure>();
/** Sizes that are remembered; zooming makes new ones without end. */
const MEASURES_MAX = 500;

/** The same measure as xterm.js takes: the advance of W, and the font's height rounded up to whole device pixels. */
export function measureCell(fontPx: number): FontMeasure {
  const ratio = window.devicePixelRatio;
  const key = `${fontPx} ${ratio}`;
  const known = measures.get(key);
  if (known) return known;
  context.font = `${fontPx}px ${TERMINAL_FONT}`;
  const metrics = context.measureText("W");
  const [ascentPx, descentPx] = [metrics.fontBoundingBoxAscent, metrics.fontBoundingBoxDescent];
  if (measures.size >= MEASURES_MAX) measures.clear();
  const heightPx = Math.ceil((ascentPx + descentPx) * ratio) / ratio;
  const measure = { widthPx: metrics.width, heightPx, ascentPx, descentPx };
  measures.set(key, measure);
  return measure;
}
