// A picture as rows of RGB, laid out as PNG wants them: one filter byte before each row. Pure, but for the buffer.

export interface Pixels {
  widthPx: number;
  heightPx: number;
  /** heightPx rows of 1 + 3 * widthPx bytes. */
  bytes: Uint8Array;
}

/** Coverage of a shape, 0 to 255 a pixel; or colours of its own, with coverage, when `rgba`. */
export interface Mask {
  widthPx: number;
  heightPx: number;
  /** Where its upper left corner lies, from that of the cell. */
  leftPx: number;
  topPx: number;
  coverage: Uint8Array;
  rgba: Uint8Array | null;
}

export function createPixels(widthPx: number, heightPx: number): Pixels {
  return { widthPx, heightPx, bytes: new Uint8Array(heightPx * (1 + 3 * widthPx)) };
}

/** @param rgb 0xrrggbb */
export function fillRect(
  { widthPx, heightPx, bytes }: Pixels,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  rgb: number,
): void {
  const left = Math.max(0, x);
  const right = Math.min(widthPx, x + w);
  const bottom = Math.min(heightPx, y + h);
  const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
  for (let row = Math.max(0, y); row < bottom; row++) {
    let at = row * (1 + 3 * widthPx) + 1 + 3 * left;
    for (let column = left; column < right; column++) {
      bytes[at++] = red;
      bytes[at++] = green;
      bytes[at++] = blue;
    }
  }
}

/** Lays a mask over what is there, in one colour unless it has its own. */
export function blend(
  { widthPx, heightPx, bytes }: Pixels,
  mask: Mask,
  x: number,
  y: number,
  rgb: number,
): void {
  let [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
  const { coverage, rgba } = mask;
  for (let row = 0; row < mask.heightPx; row++) {
    const py = y + mask.topPx + row;
    if (py < 0 || py >= heightPx) continue;
    let at = row * mask.widthPx;
    for (let column = 0; column < mask.widthPx; column++, at++) {
      const alpha = coverage[at]!;
      const px = x + mask.leftPx + column;
      if (alpha === 0 || px < 0 || px >= widthPx) continue;
      if (rgba) [red, green, blue] = [rgba[at * 4]!, rgba[at * 4 + 1]!, rgba[at * 4 + 2]!];
      const to = py * (1 + 3 * widthPx) + 1 + 3 * px;
      const rest = 255 - alpha;
      bytes[to] = (red * alpha + bytes[to]! * rest + 127) / 255;
      bytes[to + 1] = (green * alpha + bytes[to + 1]! * rest + 127) / 255;
      bytes[to + 2] = (blue * alpha + bytes[to + 2]! * rest + 127) / 255;
    }
  }
}
