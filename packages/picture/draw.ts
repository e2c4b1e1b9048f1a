// One picture from one screen: the parts put together. Keeps its glyphs for the next.

import { shownRows } from "@kolu/screen/cells.ts";
import { parseColor } from "@kolu/screen/colors.ts";
import { createScreen } from "@kolu/screen/screen.ts";
import { paletteOf } from "./cell-look.ts";
import { type FontFile, findFontFiles } from "./font-files.ts";
import { createFonts } from "./fonts.ts";
import { createGlyphs } from "./glyphs.ts";
import { paint } from "./paint.ts";
import type { Picture, PictureRequest } from "./picture-messages.ts";
import { encodePng } from "./png.ts";

export type Draw = (request: Omit<PictureRequest, "ticket">) => Picture;

export async function createDraw(files?: readonly FontFile[]): Promise<Draw> {
  const glyphs = createGlyphs(createFonts(files ?? (await findFontFiles())));
  return ({ screen: { vt, cols, rows }, scheme, lines }) => {
    const own: { foreground?: number; background?: number; cursor?: number } = {};
    let fault: unknown = null;
    const screen = createScreen({
      cols,
      rows,
      colors: scheme,
      version: "picture",
      onReply() {},
      onFault: (error) => {
        fault ??= error;
      },
    });
    try {
      for (const [code, slot] of [
        [10, "foreground"],
        [11, "background"],
        [12, "cursor"],
      ] as const)
        screen.onOsc(code, (spec) => {
          const rgb = parseColor(spec);
          if (rgb) own[slot] = rgb.reduce((all, channel) => all * 256 + (channel >> 8), 0);
        });
      screen.write(vt);
      if (fault !== null) throw new Error("The screen could not be read back.", { cause: fault });
      const shown = shownRows(screen, lines);
      const pixels = paint(shown, cols, paletteOf(scheme, own), glyphs);
      const { widthPx, heightPx } = pixels;
      return { png: encodePng(pixels), widthPx, heightPx, cols, rows: shown.lines.length };
    } finally {
      screen.dispose();
    }
  };
}
