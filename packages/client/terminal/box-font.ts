// The font for line drawing, made when the page starts: no file, no download, the same on every machine.
import { boxGlyphs, CELL } from "./box-glyphs.ts";
import { buildTrueType } from "./truetype.ts";

/** Stands in TERMINAL_FONT behind the text font, which does not have these characters. */
export const BOX_FONT = "Kolu Box";

/** Makes the font known to the page. Bold and slanted text uses the same shapes: a slanted frame is no frame. */
export function addBoxFont(): void {
  const bytes = buildTrueType({ family: BOX_FONT, ...CELL, glyphs: boxGlyphs() });
  for (const style of ["normal", "italic"])
    document.fonts.add(new FontFace(BOX_FONT, bytes.slice().buffer, { style, weight: "100 900" }));
}
