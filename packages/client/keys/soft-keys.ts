// The keys of the bar on a touch screen: those that its keyboard lacks. Pure.
import type { SoftKey } from "../terminal/view.ts";

export interface BarKey {
  /** What stands on it, and what it is called. */
  face: string;
  name: string;
  key: SoftKey;
  /** Held down, it goes on. */
  repeats?: true;
}

export const ESCAPE: BarKey = { face: "Esc", name: "Escape", key: { key: "Escape", code: 27 } };
export const TAB: BarKey = { face: "Tab", name: "Tab", key: { key: "Tab", code: 9 } };
export const BACK_TAB: BarKey = {
  face: "⇧Tab",
  name: "Shift-Tab",
  key: { key: "Tab", code: 9, shift: true },
};
export const INTERRUPT: BarKey = { face: "^C", name: "Ctrl-C", key: { key: "c", code: 67, ctrl: true } };
export const ENTER: BarKey = { face: "⏎", name: "Enter", key: { key: "Enter", code: 13 } };
export const LEFT: BarKey = arrow("←", "Left", 37);
export const UP: BarKey = arrow("↑", "Up", 38);
export const RIGHT: BarKey = arrow("→", "Right", 39);
export const DOWN: BarKey = arrow("↓", "Down", 40);

function arrow(face: string, name: string, code: number): BarKey {
  return { face, name, key: { key: `Arrow${name}`, code }, repeats: true };
}
