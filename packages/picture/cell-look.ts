// The colours that a cell ends up with, by the theme and its attributes. Pure.
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import type { Cell, CellColor } from "@kolu/screen/cells.ts";

export interface Palette {
  /** 256 colours, 0xrrggbb. */
  indexed: readonly number[];
  foreground: number;
  background: number;
  cursor: number;
  cursorText: number;
}

export interface Look {
  ink: number;
  ground: number;
  underline: number;
}

const CUBE_STEPS = [0, 95, 135, 175, 215, 255];
const BRIGHT = 8;

/** @param own what the program set with OSC 10, 11 and 12, instead of the theme's */
export function paletteOf(
  scheme: TerminalColorScheme,
  own: { foreground?: number; background?: number; cursor?: number } = {},
): Palette {
  const cube = Array.from({ length: 216 }, (_, index) => {
    const channels = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6];
    return channels.reduce((rgb, step) => rgb * 256 + CUBE_STEPS[step]!, 0);
  });
  const greys = Array.from({ length: 24 }, (_, index) => (8 + index * 10) * 0x010101);
  return {
    indexed: [...scheme.ansi.map(parseHex), ...cube, ...greys],
    foreground: own.foreground ?? parseHex(scheme.foreground),
    background: own.background ?? parseHex(scheme.background),
    cursor: own.cursor ?? parseHex(scheme.cursor),
    cursorText: parseHex(scheme.cursorAccent),
  };
}

function parseHex(color: string): number {
  return Number.parseInt(color.slice(1), 16);
}

/** Bold text in one of the first eight colours takes the bright one, as on the page; dim goes half-way to the ground. */
export function lookOf(cell: Cell, palette: Palette): Look {
  const pick = (color: CellColor, otherwise: number, bright: boolean): number => {
    if (color.kind === "default") return otherwise;
    if (color.kind === "rgb") return color.rgb;
    return palette.indexed[bright && color.index < BRIGHT ? color.index + BRIGHT : color.index]!;
  };
  const foreground = pick(cell.foreground, palette.foreground, cell.bold);
  const background = pick(cell.background, palette.background, false);
  const [front, ground] = cell.inverse ? [background, foreground] : [foreground, background];
  const ink = cell.dim ? halfWay(front, ground) : front;
  return { ink, ground, underline: cell.underlineColor ? pick(cell.underlineColor, ink, false) : ink };
}

function halfWay(from: number, to: number): number {
  const channel = (shift: number): number => (((from >> shift) & 255) + ((to >> shift) & 255)) >> 1;
  return (channel(16) << 16) | (channel(8) << 8) | channel(0);
}
