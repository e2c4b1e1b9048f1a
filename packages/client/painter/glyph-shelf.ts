// Glyphs of the sizes in use, shared by all terminals of a size: on one canvas most have the same.
import type { CellBox } from "./cell-box.ts";
import { Glyphs } from "./glyphs.ts";

/** Sizes kept; each zoom makes a new one. */
const SIZES_MAX = 4;

const shelf = new Map<string, Glyphs>();

export function glyphsFor(box: CellBox): Glyphs {
  const key = `${box.fontPx} ${box.heightPx} ${box.baselinePx}`;
  const known = shelf.get(key);
  // Used last stands last.
  shelf.delete(key);
  const glyphs = known ?? new Glyphs(box);
  shelf.set(key, glyphs);
  if (shelf.size > SIZES_MAX) shelf.delete(shelf.keys().next().value!);
  return glyphs;
}

/** A font arrived: what was drawn without it is drawn anew. */
export function forgetGlyphs(): void {
  shelf.clear();
}
