// The shapes of glyphs at one font size, drawn once by the browser and kept: what text costs is then copying pixels.
import { TERMINAL_FONT } from "../terminal/font-names.ts";
import type { CellBox } from "./cell-box.ts";
import { luminanceOf } from "./contrast-lift.ts";
import type { Glyph } from "./raster.ts";

export interface GlyphWish {
  /** One grapheme cluster. */
  text: string;
  widthCols: number;
  bold: boolean;
  italic: boolean;
  /** The browser's rasteriser thickens light text less than dark text. */
  rgb: number;
  /** Where the cell begins, in pixels and parts of them. */
  x: number;
}

/** Places between two pixels that the browser's rasteriser tells apart. */
const PLACES = 4;
/** Steps of luminance that it tells apart. */
const SHADES = 8;
/** Pixels beside a cell into which slanted and wide shapes may reach. */
const REACH_PX = 8;
/** Shapes kept of one size; beyond it all are drawn anew. */
const GLYPHS_MAX = 8_000;

export class Glyphs {
  readonly #box: CellBox;
  readonly #known = new Map<string, Glyph>();
  readonly #context: OffscreenCanvasRenderingContext2D;

  constructor(box: CellBox) {
    this.#box = box;
    const h = Math.ceil(box.heightPx);
    this.#context = new OffscreenCanvas(Math.ceil(2 * box.widthPx) + 2 * REACH_PX + 2, h).getContext("2d", {
      willReadFrequently: true,
    })!;
    this.#context.fontKerning = "none";
  }

  /** The shape, and the pixel column of its cell. */
  glyph({ text, widthCols, bold, italic, rgb, x }: GlyphWish): { glyph: Glyph; cellX: number } {
    const quarters = Math.round(x * PLACES);
    const cellX = Math.floor(quarters / PLACES);
    const place = quarters - cellX * PLACES;
    const shade = Math.min(SHADES - 1, Math.floor(brightnessOf(rgb) * SHADES));
    const key = `${text}\0${place}${shade}${bold ? "b" : ""}${italic ? "i" : ""}${widthCols}`;
    let glyph = this.#known.get(key);
    if (!glyph) {
      if (this.#known.size >= GLYPHS_MAX) this.#known.clear();
      glyph = this.#draw({ text, widthCols, bold, italic, shift: place / PLACES, shade });
      this.#known.set(key, glyph);
    }
    return { glyph, cellX };
  }

  #draw(wish: {
    text: string;
    widthCols: number;
    bold: boolean;
    italic: boolean;
    shift: number;
    shade: number;
  }): Glyph {
    const context = this.#context;
    const { width, height } = context.canvas;
    const gray = Math.round((wish.shade / (SHADES - 1)) * 255);
    context.clearRect(0, 0, width, height);
    context.fillStyle = `rgb(${gray} ${gray} ${gray})`;
    context.font = `${wish.italic ? "italic " : ""}${wish.bold ? "bold " : ""}${this.#box.fontPx}px ${TERMINAL_FONT}`;
    context.fillText(wish.text, REACH_PX + wish.shift, this.#box.baselinePx);
    const w = Math.min(width, Math.ceil(wish.widthCols * this.#box.widthPx) + 2 * REACH_PX + 1);
    return trimmed(context.getImageData(0, 0, w, height), gray);
  }
}

/** How the rasteriser judges a colour: by its channels as they are stored. */
function brightnessOf(rgb: number): number {
  return luminanceOf(rgb) ** (1 / 2.2);
}

/** What of a picture is covered at all. */
function trimmed({ data, width, height }: ImageData, gray: number): Glyph {
  let [x0, y0, x1, y1] = [width, height, 0, 0];
  let colored = false;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const alpha = data[at + 3]!;
      if (alpha === 0) continue;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
      // Pale pixels come back rounded; only a strong one tells a colour of its own.
      if (alpha > 128 && [0, 1, 2].some((channel) => Math.abs(data[at + channel]! - gray) > 12))
        colored = true;
    }
  const [w, h] = [Math.max(0, x1 - x0), Math.max(0, y1 - y0)];
  const alpha = new Uint8Array(w * h);
  const colors = colored ? new Uint32Array(w * h) : null;
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const at = ((y + y0) * width + x + x0) * 4;
      alpha[y * w + x] = data[at + 3]!;
      if (colors)
        colors[y * w + x] = (0xff000000 | (data[at + 2]! << 16) | (data[at + 1]! << 8) | data[at]!) >>> 0;
    }
  return { left: x0 - REACH_PX, top: y0, w, h, alpha, colors };
}
