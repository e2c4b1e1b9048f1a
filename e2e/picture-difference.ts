// How much two pictures of the same size differ.
import { createCanvas, loadImage } from "@napi-rs/canvas";

export interface Difference {
  /** Pixels of which a channel differs by more than anti-aliasing does, as a share of all. */
  strongShare: number;
  /** Mean over all pixels of the channel that differs most, in steps of 256. */
  mean: number;
}

/** What two rasterisers may disagree on at the edge of a letter. */
const STRONG = 64;

export async function differenceOf(a: Buffer, b: Buffer): Promise<Difference> {
  const [left, right] = [await pixelsOf(a), await pixelsOf(b)];
  if (left.length !== right.length) return { strongShare: 1, mean: 255 };
  let [strong, sum] = [0, 0];
  for (let at = 0; at < left.length; at += 4) {
    const steps = Math.max(
      ...[0, 1, 2].map((channel) => Math.abs(left[at + channel]! - right[at + channel]!)),
    );
    sum += steps;
    if (steps > STRONG) strong += 1;
  }
  const pixels = left.length / 4;
  return { strongShare: strong / pixels, mean: sum / pixels };
}

async function pixelsOf(png: Buffer): Promise<Uint8ClampedArray> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height).data;
}
