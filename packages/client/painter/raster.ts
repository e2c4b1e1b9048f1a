// One row of cells as pixels: floors, glyphs laid over them, lines. Pure loops over memory; colours are 0xrrggbb.

/** The shape of a glyph at one place between two pixels. */
export interface Glyph {
  /** From where the cell begins to the glyph's first pixel column. */
  left: number;
  top: number;
  w: number;
  h: number;
  /** How much each pixel is covered, 0 to 255; for a glyph in colours of its own, the pixels themselves. */
  alpha: Uint8Array;
  colors: Uint32Array | null;
}

export class RowRaster {
  readonly w: number;
  readonly h: number;
  readonly image: ImageData;
  readonly #pixels: Uint32Array;

  constructor(w: number, h: number) {
    this.w = w;
    this.h = h;
    this.image = new ImageData(w, h);
    this.#pixels = new Uint32Array(this.image.data.buffer);
  }

  clear(rgb: number): void {
    this.#pixels.fill(toPixel(rgb));
  }

  fill(x: number, y: number, w: number, h: number, rgb: number): void {
    const pixel = toPixel(rgb);
    const [from, to] = [Math.max(0, x), Math.min(this.w, x + w)];
    for (let row = Math.max(0, y); row < Math.min(this.h, y + h); row++)
      this.#pixels.fill(pixel, row * this.w + from, row * this.w + Math.max(from, to));
  }

  frame(x: number, y: number, w: number, h: number, thick: number, rgb: number): void {
    this.fill(x, y, w, thick, rgb);
    this.fill(x, y + h - thick, w, thick, rgb);
    this.fill(x, y, thick, h, rgb);
    this.fill(x + w - thick, y, thick, h, rgb);
  }

  /** Lays a glyph over what is there. */
  draw(glyph: Glyph, cellX: number, rgb: number): void {
    const pixels = this.#pixels;
    const x = cellX + glyph.left;
    const from = Math.max(0, -x);
    const to = Math.min(glyph.w, this.w - x);
    const lines = Math.min(glyph.h, this.h - glyph.top);
    const [r, g, b] = [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
    const solid = toPixel(rgb);
    for (let line = 0; line < lines; line++) {
      let at = (glyph.top + line) * this.w + x + from;
      let source = line * glyph.w + from;
      for (let col = from; col < to; col++, at++, source++) {
        const alpha = glyph.alpha[source]!;
        if (alpha === 0) continue;
        if (glyph.colors) {
          const own = glyph.colors[source]!;
          pixels[at] =
            alpha === 255
              ? own
              : blend(pixels[at]!, own & 0xff, (own >> 8) & 0xff, (own >> 16) & 0xff, alpha);
        } else pixels[at] = alpha === 255 ? solid : blend(pixels[at]!, r, g, b, alpha);
      }
    }
  }
}

/** As ImageData has it in memory, on the little-endian machines that browsers run on. */
function toPixel(rgb: number): number {
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

function blend(under: number, r: number, g: number, b: number, alpha: number): number {
  const rest = 255 - alpha;
  const red = (under & 0xff) * rest + r * alpha + 127;
  const green = ((under >> 8) & 0xff) * rest + g * alpha + 127;
  const blue = ((under >> 16) & 0xff) * rest + b * alpha + 127;
  return (0xff000000 | (((blue / 255) | 0) << 16) | (((green / 255) | 0) << 8) | ((red / 255) | 0)) >>> 0;
}
