// Whose keyboard it is.
import type { Platform } from "./chord.ts";

export const platform: Platform =
  typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform) ? "mac" : "other";

/** Cmd+Enter on a Mac, Ctrl+Enter elsewhere: what sends from a box to write in. Never while an input method composes. */
export function isModEnter(event: {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  nativeEvent: { isComposing: boolean };
}): boolean {
  const mod = platform === "mac" ? event.metaKey : event.ctrlKey;
  return event.key === "Enter" && mod && !event.nativeEvent.isComposing;
}
