// Keys that mean something else to a terminal tile than to the program in it. Pure. Everything not named here goes to
// the program; on Linux and Windows only chords with Ctrl+Shift are taken, which shells and agents do not use.
import type { TerminalAction } from "./view.ts";

export interface KeyPress {
  key: string;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
}

export type KeyMeaning =
  /** Not ours: the engine turns it into bytes. */
  | { kind: "program" }
  | { kind: "bytes"; text: string }
  | { kind: "action"; action: TerminalAction }
  /** The browser's own paste or copy does it, with no question about permission. */
  | { kind: "browser" };

/** What agents read as "a newline in the composer": ESC CR, as terminals send for Alt+Enter. */
const NEWLINE = "\x1b\r";

export function meaningOf(press: KeyPress, isMac: boolean): KeyMeaning {
  if (press.key === "Enter" && (press.shift || press.ctrl || press.alt) && !press.meta)
    return { kind: "bytes", text: NEWLINE };
  const ours = isMac
    ? press.meta && !press.ctrl && !press.alt
    : press.ctrl && press.shift && !press.alt && !press.meta;
  if (!ours) return { kind: "program" };
  switch (press.key.toLowerCase()) {
    case "c":
      return isMac ? { kind: "browser" } : { kind: "action", action: "copy" };
    case "v":
      return { kind: "browser" };
    case "f":
      return { kind: "action", action: "search" };
    case "+":
    case "=":
      return { kind: "action", action: "font-larger" };
    case "-":
    case "_":
      return { kind: "action", action: "font-smaller" };
    case "0":
    case ")":
      return { kind: "action", action: "font-reset" };
    default:
      return { kind: "program" };
  }
}
