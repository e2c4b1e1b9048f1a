// What a padi and its painter say to each other.
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";

export interface PictureRequest {
  ticket: number;
  /** A screen as kaval hands it to a viewer: VT that gives it in a fresh emulator of this grid. */
  screen: { vt: Uint8Array; cols: number; rows: number };
  scheme: TerminalColorScheme;
  /** Null: the visible screen; else so many last rows of history and screen. */
  lines: number | null;
}

export interface Picture {
  png: Uint8Array;
  widthPx: number;
  heightPx: number;
  cols: number;
  /** Rows in the picture. */
  rows: number;
}

export type PictureAnswer =
  | { kind: "picture"; ticket: number; picture: Picture }
  | { kind: "failed"; ticket: number; error: Error };
