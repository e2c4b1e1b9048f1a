// While the modifiers of the place chords are held, rows show their numbers.
import { useSyncExternalStore } from "react";
import { platform } from "../keys/platform.ts";

let shown = false;
const listeners = new Set<() => void>();

function show(next: boolean): void {
  if (next === shown) return;
  shown = next;
  for (const listener of listeners) listener();
}

function onKey(event: KeyboardEvent): void {
  show(
    platform === "mac" ? event.metaKey && !event.shiftKey : event.ctrlKey && event.shiftKey && !event.altKey,
  );
}
const onBlur = (): void => show(false);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("keyup", onKey, true);
    window.addEventListener("blur", onBlur);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("keyup", onKey, true);
    window.removeEventListener("blur", onBlur);
  };
}

export function usePlacesShown(): boolean {
  return useSyncExternalStore(subscribe, () => shown);
}
