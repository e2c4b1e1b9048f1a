// The colours of a cell, from the emulator's words to what is painted, as the live renderer decides them (xterm.js 6.0.0,
// DomRendererRowFactory). Pure. Colours are 0xrrggbb.
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import { liftContrast } from "./contrast-lift.ts";

/** Bits of the emulator's foreground and background words. */
const MODE = 0x3000000;
const MODE_RGB = 0x3000000;
const FG_INVERSE = 0x4000000;
const FG_BOLD = 0x8000000;
const BG_DIM = 0x8000000;

export interface Palette {
  foreground: number;
  background: number;
  cursor: number;
  /** 256 colours. */
  ansi: number[];
}

export interface CellColors {
  fg: number;
  bg: number;
}

export function parseHex(hex: string): number {
  return Number.parseInt(hex.slice(1, 7), 16);
}

export function paletteOf(scheme: TerminalColorScheme): Palette {
  const ansi = scheme.ansi.map(parseHex);
  const levels = [0, 95, 135, 175, 215, 255];
  for (let index = 0; index < 216; index++)
    ansi.push(
      (levels[Math.floor(index / 36)]! << 16) |
        (levels[Math.floor(index / 6) % 6]! << 8) |
        levels[index % 6]!,
    );
  for (let gray = 8; gray < 248; gray += 10) ansi.push(gray * 0x10101);
  return {
    foreground: parseHex(scheme.foreground),
    background: parseHex(scheme.background),
    cursor: parseHex(scheme.cursor),
    ansi,
  };
}

/** Glyphs that stand for an area rather than for text keep their colour: line drawing, blocks, powerline. */
function isArea(codePoint: number): boolean {
  return (codePoint >= 0x2500 && codePoint <= 0x259f) || (codePoint >= 0xe0a4 && codePoint <= 0xe0d6);
}

/** `minimum`: the contrast that text has at least. */
export function colorsOf(
  palette: Palette,
  { fgWord, bgWord, codePoint }: { fgWord: number; bgWord: number; codePoint: number },
  minimum: number,
): CellColors {
  const inverse = (fgWord & FG_INVERSE) !== 0;
  const [front, back] = inverse ? [bgWord, fgWord] : [fgWord, bgWord];
  const bold = (fgWord & FG_BOLD) !== 0;
  const dim = (bgWord & BG_DIM) !== 0;
  const bg = colorOf(palette, back, inverse ? palette.foreground : palette.background, false);
  // Of turned text in the default colour, the live renderer judges the one that it had before.
  const judged = colorOf(palette, front, palette.foreground, bold);
  if (!isArea(codePoint)) {
    const lifted = liftContrast(judged, bg, dim ? minimum / 2 : minimum);
    if (lifted !== judged) return { fg: lifted, bg };
  }
  const own = inverse && (front & MODE) === 0 ? palette.background : judged;
  // It dims through a class, which a colour written on the cell itself overrides.
  const dims = dim && (front & MODE) !== MODE_RGB;
  return { fg: dims ? half(own, bg) : own, bg };
}

function colorOf(palette: Palette, word: number, fallback: number, bold: boolean): number {
  const mode = word & MODE;
  if (mode === 0) return fallback;
  if (mode === MODE_RGB) return word & 0xffffff;
  const index = word & 0xff;
  return palette.ansi[bold && index < 8 ? index + 8 : index] ?? fallback;
}

/** The colour of an underline that has its own, or null. */
export function underlineColorOf(palette: Palette, extendedWord: number, bold: boolean): number | null {
  return (extendedWord & MODE) === 0 ? null : colorOf(palette, extendedWord, 0, bold);
}

/** Half of one over the other. */
function half(over: number, under: number): number {
  const mix = (shift: number): number =>
    Math.round((((over >> shift) & 0xff) + ((under >> shift) & 0xff)) / 2) << shift;
  return mix(16) | mix(8) | mix(0);
}
