import { useSyncExternalStore } from "react";

/** Narrower than this there is room for the list or for one terminal, not for both. */
const query = globalThis.matchMedia?.("(max-width: 640px)");

function subscribe(changed: () => void): () => void {
  query?.addEventListener("change", changed);
  return () => query?.removeEventListener("change", changed);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => isNarrow());
}

export function isNarrow(): boolean {
  return query?.matches ?? false; // Unit tests have no window.
}
