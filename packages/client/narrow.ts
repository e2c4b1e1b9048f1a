import { useSyncExternalStore } from "react";

/** Narrower than this there is room for the list or for one terminal, not for both. */
const query = matchMedia("(max-width: 640px)");

function subscribe(changed: () => void): () => void {
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}

export function isNarrow(): boolean {
  return query.matches;
}
