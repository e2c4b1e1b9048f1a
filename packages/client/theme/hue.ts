// A repository's or branch's colour as CSS. The hue is a hash of the name (tile/colour.ts); lightness and chroma are the
// scheme's, so that the same hue reads on dark and on light.
import { hueOf } from "../tile/colour.ts";

export function hueColor(name: string): string {
  return `oklch(var(--hue-lightness) var(--hue-chroma) ${hueOf(name)})`;
}

/** Fill of a monogram, dark enough in both schemes for white letters. */
export function monogramFill(name: string): string {
  return `oklch(0.48 0.1 ${hueOf(name)})`;
}
