// Dark, light, or what the system says: decided once, put on the root element, and remembered for public/scheme.js,
// which applies it before the first paint of the next visit.

import type { PageScheme } from "@kolu/contract/terminal-schemes.ts";
import { useSyncExternalStore } from "react";
import { useWorkspace } from "../store/workspace.ts";

export const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** Read by public/scheme.js under the same name. */
const STORAGE_KEY = "kolu.scheme";

function currentScheme(): PageScheme {
  const { scheme } = useWorkspace.getState().preferences;
  if (scheme !== "system") return scheme;
  return systemDark.matches ? "dark" : "light";
}

function subscribe(changed: () => void): () => void {
  systemDark.addEventListener("change", changed);
  const stop = useWorkspace.subscribe(changed);
  return () => {
    systemDark.removeEventListener("change", changed);
    stop();
  };
}

/** The scheme the page shows now. */
export function usePageScheme(): PageScheme {
  return useSyncExternalStore(subscribe, currentScheme);
}

/** Keeps the root element in step with the preference. Called once by main.tsx. */
export function startScheme(): () => void {
  let applied = "";
  const apply = (): void => {
    const { told, preferences } = useWorkspace.getState();
    // Until padi has told the preference, what public/scheme.js found is the better guess.
    if (!told.preferences) return;
    const scheme = currentScheme();
    // Asked with every change of the workspace: reading a computed style each time would lay the whole page out anew.
    const wanted = `${preferences.scheme} ${scheme}`;
    if (wanted === applied) return;
    applied = wanted;
    document.documentElement.dataset.scheme = scheme;
    const surface = getComputedStyle(document.documentElement).getPropertyValue("--surface-1");
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", surface);
    localStorage.setItem(STORAGE_KEY, preferences.scheme);
  };
  apply();
  return subscribe(apply);
}
