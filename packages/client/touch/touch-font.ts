// The size of text in a terminal that fills a touch screen. It is this device's own: a desk's size makes 40 columns here.
import { isTouch, useTouch } from "../narrow.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";

/** Makes 52 columns on a phone of 390 pixels. */
const FIRST_NARROW_PX = 12;

/** Now, for a terminal that fills the screen. */
export function fontOnTouch(): number {
  return useUi.getState().touchFontPx ?? firstPx(useWorkspace.getState().preferences.fontPx);
}

/** The size that this device alone decides, or null where it is the terminal's own or everybody's. */
export function useTouchFont(): number | null {
  const touch = useTouch();
  const alone = useUi((ui) => ui.maximisedId !== null);
  const chosen = useUi((ui) => ui.touchFontPx);
  const preferred = useWorkspace(({ preferences }) => preferences.fontPx);
  return touch && alone ? (chosen ?? firstPx(preferred)) : null;
}

function firstPx(preferredPx: number): number {
  return isTouch() && window.innerWidth < 640 ? Math.min(FIRST_NARROW_PX, preferredPx) : preferredPx;
}
