// Every cluster in every style is drawn once and kept as a mask: a screen then costs a blend a cell. The one place that
// draws with the canvas.
import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Fonts } from "./fonts.ts";
import type { Mask } from "./pixels.ts";
import { type CellSize, shapeOf } from "./shapes.ts";

export interface GlyphStyle {
  bold: boolean;
  italic: boolean;
  widthCols: number;
}

export interface Glyphs {
  /** Null where nothing is to be drawn. */
  glyph(cluster: string, style: GlyphStyle): Mask | null;
}

export const FONT_PX = 15;
/** The advance of JetBrains Mono at that size, and 1.2 lines. */
export const CELL: CellSize = { widthPx: 9, heightPx: 18 };
const BASELINE_PX = 14;
/** A slanted or wide glyph may reach so far into its neighbours. */
const OVERHANG_PX = 2;
/** Distinct clusters kept; a screen of ideographs has a few hundred. All are dropped at once: the next picture redraws its own. */
const GLYPHS_MAX = 8_192;
/** A glyph of a proportional font may be that much wider than its cells before it is made smaller. */
const WIDER = 1.1;
const FAKE_SLANT = -0.2;

export function createGlyphs(fonts: Fonts): Glyphs {
  const kept = new Map<string, Mask | null>();
  const contexts = new Map<number, SKRSContext2D>();

  function contextOf(widthCols: number): SKRSContext2D {
    const before = contexts.get(widthCols);
    if (before) return before;
    const canvas = createCanvas(widthCols * CELL.widthPx + 2 * OVERHANG_PX, CELL.heightPx);
    const context = canvas.getContext("2d");
    contexts.set(widthCols, context);
    return context;
  }

  function draw(cluster: string, style: GlyphStyle): Mask | null {
    const codePoint = cluster.codePointAt(0)!;
    if (codePoint <= 0x20 || (codePoint >= 0x7f && codePoint < 0xa1)) return null;
    const shape = style.widthCols === 1 ? shapeOf(codePoint, CELL) : null;
    if (shape) return shape;
    const font = fonts.choose(cluster, style);
    if (!font) return missing(style.widthCols);
    const context = contextOf(style.widthCols);
    const { width: widthPx, height: heightPx } = context.canvas;
    const boxPx = style.widthCols * CELL.widthPx;
    context.resetTransform();
    context.clearRect(0, 0, widthPx, heightPx);
    context.font = `${FONT_PX}px ${font.family}`;
    context.fillStyle = "#fff";
    const text = cluster.replaceAll(/[\ufe0e\ufe0f]/g, font.role === "emoji" ? "$&" : "");
    const advancePx = context.measureText(text).width;
    const fits = font.role === "mono" || advancePx <= boxPx * WIDER;
    const scale = fits ? 1 : (boxPx * WIDER) / advancePx;
    const leftPx = font.role === "mono" ? 0 : (boxPx - advancePx * scale) / 2;
    // A smaller glyph keeps its middle where the full one has it.
    const baselinePx = BASELINE_PX - (1 - scale) * FONT_PX * 0.35;
    context.translate(OVERHANG_PX + leftPx, baselinePx);
    context.scale(scale, scale);
    if (font.fakeItalic) context.transform(1, 0, FAKE_SLANT, 1, 0, 0);
    context.fillText(text, 0, 0);
    if (font.fakeBold) context.fillText(text, 0.6, 0);
    const { data } = context.getImageData(0, 0, widthPx, heightPx);
    const rgba = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
    const coverage = Uint8Array.from({ length: widthPx * heightPx }, (_, pixel) => rgba[pixel * 4 + 3]!);
    const isColoured = font.role === "emoji";
    return { widthPx, heightPx, leftPx: -OVERHANG_PX, topPx: 0, coverage, rgba: isColoured ? rgba : null };
  }

  return {
    glyph(cluster, style) {
      const key = `${cluster} ${style.widthCols}${style.bold}${style.italic}`;
      const before = kept.get(key);
      if (before !== undefined) return before;
      if (kept.size >= GLYPHS_MAX) kept.clear();
      const mask = draw(cluster, style);
      kept.set(key, mask);
      return mask;
    },
  };
}

/** A frame: something stands here that no font of ours has. */
function missing(widthCols: number): Mask {
  const [widthPx, heightPx] = [widthCols * CELL.widthPx, CELL.heightPx];
  const coverage = Uint8Array.from({ length: widthPx * heightPx }, (_, pixel) => {
    const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx)];
    const isInside = x >= 1 && x < widthPx - 1 && y >= 3 && y < heightPx - 3;
    const isEdge = x === 1 || x === widthPx - 2 || y === 3 || y === heightPx - 4;
    return isInside && isEdge ? 150 : 0;
  });
  return { widthPx, heightPx, leftPx: 0, topPx: 0, coverage, rgba: null };
}
