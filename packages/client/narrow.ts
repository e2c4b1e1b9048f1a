// What kind of screen this is: how much fits on it, and whether a finger points on it.
import { useSyncExternalStore } from "react";

/**
 * Room for the list or for one terminal, not for both: a phone, also on its side. By the height of the device there, because
 * that of the page shrinks whenever a keyboard comes up.
 */
const NARROW = "(max-width: 640px), (pointer: coarse) and (max-device-height: 480px)";
/** A finger: no hover, no modifiers, and a keyboard that takes half of the screen. */
const TOUCH = "(pointer: coarse)";

interface ScreenKind {
  is(): boolean;
  use(): boolean;
}

function screenKind(media: string): ScreenKind {
  const query = globalThis.matchMedia?.(media); // Unit tests have no window.
  const is = (): boolean => query?.matches ?? false;
  const subscribe = (changed: () => void): (() => void) => {
    query?.addEventListener("change", changed);
    return () => query?.removeEventListener("change", changed);
  };
  return { is, use: () => useSyncExternalStore(subscribe, is) };
}

const narrow = screenKind(NARROW);
const touch = screenKind(TOUCH);

export const isNarrow = narrow.is;
export const useNarrow = narrow.use;
export const isTouch = touch.is;
export const useTouch = touch.use;
