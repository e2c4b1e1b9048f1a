// What page and painting worker say to each other. Both are built together: nothing here outlives a page.
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import type { Grid } from "../terminal/geometry.ts";
import type { Drawing } from "./cell-box.ts";

/** A font face of the page's style sheets, for a worker that has none. */
export interface FaceRule {
  family: string;
  src: string;
  weight: string;
  style: string;
  unicodeRange: string;
}

export type ToPainter =
  | { kind: "begin"; faces: FaceRule[] }
  | {
      kind: "open";
      id: number;
      canvas: OffscreenCanvas;
      scheme: TerminalColorScheme;
      grid: Grid;
      drawing: Drawing;
    }
  | { kind: "write"; id: number; bytes: Uint8Array }
  /** A new beginning: what was written before and not consumed is never reported. */
  | { kind: "reset"; id: number; grid: Grid }
  | { kind: "resize"; id: number; grid: Grid }
  | { kind: "draw"; id: number; drawing: Drawing }
  | { kind: "colors"; id: number; scheme: TerminalColorScheme }
  | { kind: "close"; id: number }
  /** How often changes are painted at most, from now on. */
  | { kind: "pace"; everyMs: number };

/** What became of one terminal since the last news of it. */
export interface ScreenNews {
  id: number;
  /** Beginnings so far. */
  beginnings: number;
  /** Pieces of output that were parsed since the last beginning, and are painted. */
  consumed: number;
  grid: Grid;
  /** The text of the screen, where it is another than told last. */
  text: string | null;
}

export type FromPainter =
  | { kind: "news"; screens: ScreenNews[] }
  | { kind: "clipboard-offer"; id: number; text: string };
