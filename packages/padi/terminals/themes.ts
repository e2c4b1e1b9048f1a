// The themes of terminals as padi needs them: the colours behind a name, and the name for a new terminal.
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { TerminalColors } from "@kolu/contract/kaval.ts";
import { type Preferences, schemeOf } from "@kolu/contract/preferences.ts";
import {
  isFromCatalogue,
  TERMINAL_SCHEMES,
  type TerminalScheme,
  terminalScheme,
} from "@kolu/contract/terminal-schemes.ts";
import { loadThemes } from "@kolu/contract/theme-catalogue.ts";
import type { Cell } from "../cell.ts";
import { chooseTheme } from "./new-theme.ts";
import type { TerminalStore } from "./store.ts";

export interface Themes {
  /** What a terminal of this theme is painted with now. */
  schemeOf(themeName: string | null): Promise<TerminalScheme>;
  /** The same, as far as kaval answers with it. */
  colorsOf(themeName: string | null): Promise<TerminalColors>;
  /** By the preference. The choice counts as there until `settle`, so that terminals made at once differ too. */
  choose(id: TerminalId, from: string | null): Promise<string | null>;
  /** The terminal has its record, or will never have one. */
  settle(id: TerminalId): void;
}

/** An update of kolu may have taken the file from under a padi that runs on: a terminal matters more than its theme. */
const loadOrDoWithout = (): Promise<readonly TerminalScheme[]> => loadThemes().catch(() => TERMINAL_SCHEMES);

/** None of it rejects. */
export function createThemes({
  store,
  preferences,
}: {
  store: Pick<TerminalStore, "get" | "all">;
  preferences: Cell<Preferences>;
}): Themes {
  const chosen = new Map<TerminalId, string | null>();
  const page = () => schemeOf(preferences.read());
  const themes: Themes = {
    async schemeOf(themeName) {
      const known = isFromCatalogue(themeName) ? await loadOrDoWithout() : TERMINAL_SCHEMES;
      return terminalScheme(themeName, page(), known);
    },
    async colorsOf(themeName) {
      const { foreground, background, cursor } = (await themes.schemeOf(themeName)).colors;
      return { foreground, background, cursor };
    },
    async choose(id, from) {
      const policy = preferences.read().newTheme;
      const catalogue = policy.kind === "shuffle" ? await loadOrDoWithout() : TERMINAL_SCHEMES;
      const names = [...store.all().map(({ themeName }) => themeName), ...chosen.values()];
      const name = chooseTheme({
        policy,
        page: page(),
        origin: from === null ? undefined : store.get(from)?.themeName,
        taken: names.map((taken) => terminalScheme(taken, page(), catalogue)),
        catalogue,
        random: Math.random(),
      });
      chosen.set(id, name);
      return name;
    },
    settle: (id) => void chosen.delete(id),
  };
  return themes;
}
