// What terminals of this page are painted with: the themes as far as they are loaded, and the one that is being tried on.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import {
  isFromCatalogue,
  TERMINAL_SCHEMES,
  type TerminalScheme,
  terminalScheme,
} from "@kolu/contract/terminal-schemes.ts";
import { loadThemes } from "@kolu/contract/theme-catalogue.ts";
import { useEffect } from "react";
import { create } from "zustand";
import { usePageScheme } from "./scheme.ts";

export interface TerminalThemes {
  /** Ours until the catalogue is there: it is fetched when a terminal or a person asks for one of it. */
  themes: readonly TerminalScheme[];
  /** A person tries a theme on: nobody else sees it, and the record does not change. */
  trial: { id: string; themeName: string | null } | null;
}

export const useThemes = create<TerminalThemes>(() => ({ themes: TERMINAL_SCHEMES, trial: null }));

/** Resolves when every theme is known. Rejects when they cannot be fetched. */
export async function fetchThemes(): Promise<readonly TerminalScheme[]> {
  const themes = await loadThemes();
  useThemes.setState({ themes });
  return themes;
}

/** The scheme that a terminal is painted with now. */
export function useTerminalScheme({
  id,
  themeName,
}: Pick<TerminalRecord, "id" | "themeName">): TerminalScheme {
  const themes = useThemes((state) => state.themes);
  const trial = useThemes((state) => (state.trial?.id === id ? state.trial : null));
  const name = trial ? trial.themeName : themeName;
  const missing = isFromCatalogue(name) && themes === TERMINAL_SCHEMES;
  useEffect(() => {
    // Without them the page's own scheme stays, which can be read as well.
    if (missing) fetchThemes().catch(() => {});
  }, [missing]);
  return terminalScheme(name, usePageScheme(), themes);
}
