// What stands in each cell and how it looks, for whoever draws a screen. Reads the emulator's words (cell-words.ts).
import { COLOR_MODE, HAS_CONTENT } from "./cell-words.ts";
import type { EngineLine } from "./engine.ts";
import type { Screen } from "./screen.ts";

/** default: the theme's. indexed: one of 256. rgb: as the program said, 0xrrggbb. */
export type CellColor =
  | { kind: "default" }
  | { kind: "indexed"; index: number }
  | { kind: "rgb"; rgb: number };

export type UnderlineStyle = "none" | "single" | "double" | "curly" | "dotted" | "dashed";

export interface Cell {
  column: number;
  /** One grapheme cluster; empty for a blank. */
  text: string;
  widthCols: number;
  foreground: CellColor;
  background: CellColor;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  inverse: boolean;
  invisible: boolean;
  strike: boolean;
  overline: boolean;
  underline: UnderlineStyle;
  /** Null: the colour of the text. */
  underlineColor: CellColor | null;
}

const FG = { inverse: 0x4000000, bold: 0x8000000, underline: 0x10000000, invisible: 0x40000000 };
const FG_STRIKE = 0x80000000;
const BG = { italic: 0x4000000, dim: 0x8000000, extended: 0x10000000, overline: 0x40000000 };
const UNDERLINES: readonly UnderlineStyle[] = ["none", "single", "double", "curly", "dotted", "dashed"];

const DEFAULT: CellColor = { kind: "default" };

function colorOf(word: number): CellColor {
  switch (word & COLOR_MODE) {
    case 0:
      return DEFAULT;
    case COLOR_MODE:
      return { kind: "rgb", rgb: word & 0xffffff };
    default:
      return { kind: "indexed", index: word & 0xff };
  }
}

/** The cells of one row that show anything: text, a background, a line. A wide cluster's second cell is left out. */
export function cellsOf(line: EngineLine): Cell[] {
  const cells: Cell[] = [];
  for (let column = 0; column < line.length; column++) {
    const content = line._data[column * 3]!;
    const fg = line._data[column * 3 + 1]!;
    const bg = line._data[column * 3 + 2]!;
    const widthCols = line.getWidth(column);
    if (widthCols === 0) continue;
    if ((content & HAS_CONTENT) === 0 && fg === 0 && bg === 0) continue;
    const extended = bg & BG.extended ? line._extendedAttrs[column] : undefined;
    const style = extended ? (extended._ext >> 26) & 7 : 0;
    const underlineColor = extended && extended._ext & COLOR_MODE ? colorOf(extended._ext) : null;
    cells.push({
      column,
      text: line.getString(column),
      widthCols,
      foreground: colorOf(fg),
      background: colorOf(bg),
      bold: (fg & FG.bold) !== 0,
      dim: (bg & BG.dim) !== 0,
      italic: (bg & BG.italic) !== 0,
      inverse: (fg & FG.inverse) !== 0,
      invisible: (fg & FG.invisible) !== 0,
      strike: (fg & FG_STRIKE) !== 0,
      overline: (bg & BG.overline) !== 0,
      underline: fg & FG.underline ? (UNDERLINES[style || 1] ?? "single") : "none",
      underlineColor,
    });
  }
  return cells;
}

export interface ShownCursor {
  /** Row among those of `shownRows`. */
  row: number;
  column: number;
  style: "block" | "underline" | "bar";
}

export interface ShownRows {
  lines: EngineLine[];
  /** Null when it is hidden, or outside of these rows. */
  cursor: ShownCursor | null;
}

/**
 * The rows to draw: the screen, or the last `lines` rows of history and screen, blank ones at the end left out. History is
 * taken as far as the emulator holds it itself, which is more than a picture may show.
 */
export function shownRows(screen: Screen, lines: number | null): ShownRows {
  const { buffers, coreService } = screen.engine.core;
  const { active, normal } = buffers;
  const visible = Array.from({ length: screen.rows }, (_, row) => active.lines.get(active.ybase + row)!);
  const style = coreService.decPrivateModes.cursorStyle ?? "block";
  const cursorAt = (first: number, count: number): ShownCursor | null => {
    const row = active.y - first;
    if (coreService.isCursorHidden || row < 0 || row >= count) return null;
    return { row, column: Math.min(active.x, screen.cols - 1), style };
  };
  if (lines === null) return { lines: visible, cursor: cursorAt(0, visible.length) };
  const older = Math.min(normal.ybase, Math.max(0, lines));
  const history = Array.from({ length: older }, (_, row) => normal.lines.get(normal.ybase - older + row)!);
  const all = [...history, ...visible];
  let end = all.length;
  while (end > 1 && all[end - 1]!.getTrimmedLength() === 0) end--;
  // The cursor of a program that waits on the row below its text is part of the picture.
  if (!coreService.isCursorHidden) end = Math.max(end, Math.min(all.length, older + active.y + 1));
  const start = Math.max(0, end - lines);
  return { lines: all.slice(start, end), cursor: cursorAt(start - older, end - start) };
}
