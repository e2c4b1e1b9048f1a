// The font for line drawing, made when the page starts: no file, no download, the same on every machine.
import { boxGlyphs, CELL } from "./box-glyphs.ts";
import { BOX_FONT } from "./font-names.ts";
import { buildTrueType } from "./truetype.ts";

/** Makes the font known. Bold and slanted text uses the same shapes: a slanted frame is no frame. */
export function addBoxFont(fonts: FontFaceSet): void {
  const bytes = buildTrueType({ family: BOX_FONT, ...CELL, glyphs: boxGlyphs() });
  for (const style of ["normal", "italic"])
    fonts.add(new FontFace(BOX_FONT, bytes.slice().buffer, { style, weight: "100 900" }));
}
