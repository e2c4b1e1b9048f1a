import { TERMINAL_SCHEMES } from "@kolu/contract/terminal-schemes.ts";
import { expect, test } from "vitest";
import { liftContrast, luminanceOf } from "./contrast-lift.ts";
import { colorsOf, paletteOf, parseHex } from "./palette.ts";

const palette = paletteOf(TERMINAL_SCHEMES[0]!.colors);
const P16 = 0x1000000;
const RGB = 0x3000000;
const [BOLD, INVERSE, DIM] = [0x8000000, 0x4000000, 0x8000000];
const look = (fgWord: number, bgWord = 0, codePoint = 0x41) =>
  colorsOf(palette, { fgWord, bgWord, codePoint }, 4.5);

function contrast(a: number, b: number): number {
  const [x, y] = [luminanceOf(a), luminanceOf(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

test("the cube and the greys follow the sixteen colours of the scheme", () => {
  expect(palette.ansi).toHaveLength(256);
  expect(palette.ansi[1]).toBe(parseHex(TERMINAL_SCHEMES[0]!.colors.ansi[1]!));
  expect(palette.ansi.slice(16, 18)).toEqual([0x000000, 0x00005f]);
  expect(palette.ansi[231]).toBe(0xffffff);
  expect(palette.ansi.slice(254)).toEqual([0xe4e4e4, 0xeeeeee]);
});

test("bold text of a dark colour is drawn in the bright one", () => {
  expect(look(P16 | 1 | BOLD).fg).toBe(palette.ansi[9]);
  expect(look(P16 | 1).fg).toBe(palette.ansi[1]);
});

test("text is lifted until it can be read, dim text half as far, line drawing not at all", () => {
  const dark = RGB | 0x283c78;
  expect(contrast(look(dark).fg, palette.background)).toBeGreaterThanOrEqual(4.5);
  const dim = contrast(look(dark, DIM).fg, palette.background);
  expect(dim).toBeGreaterThanOrEqual(2.25);
  expect(dim).toBeLessThan(4.5);
  expect(look(dark, 0, 0x2502).fg).toBe(0x283c78);
});

test("turned text stands on the colour of the text", () => {
  expect(look(INVERSE).bg).toBe(palette.foreground);
  expect(look(P16 | 2 | INVERSE)).toEqual({ bg: palette.ansi[2], fg: expect.any(Number) });
});

test("a contrast that cannot be had in one direction is looked for in the other", () => {
  // White reaches 3.9 on this grey.
  const lifted = liftContrast(0x888888, 0x808080, 4.5);
  expect(luminanceOf(lifted)).toBeLessThan(luminanceOf(0x808080));
  expect(contrast(lifted, 0x808080)).toBeGreaterThanOrEqual(4.5);
  expect(liftContrast(0xffffff, 0x000000, 4.5)).toBe(0xffffff);
});
