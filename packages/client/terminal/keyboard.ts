// Keys that mean something else to a terminal tile than to the program in it. Pure. Everything not named here goes to
// the program. What the page itself does by a chord is in its registry (terminal-actions.ts and others) and never gets here.
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
  | { kind: "copy" }
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
      return isMac ? { kind: "browser" } : { kind: "copy" };
    case "v":
      return { kind: "browser" };
    default:
      return { kind: "program" };
  }
}
