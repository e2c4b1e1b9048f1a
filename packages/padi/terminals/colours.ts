// Keeps kaval told of every terminal's colours: it answers programs that ask for them, whichever page looks, or none.
import type { KavalContract } from "@kolu/contract/kaval.ts";
import type { Preferences } from "@kolu/contract/padi.ts";
import type { ParamsOf } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type PageScheme, terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import type { Cell } from "../cell.ts";
import type { TerminalStore } from "./store.ts";

type ColourCall = ParamsOf<KavalContract, "terminal.setColors">;

export interface ColoursOptions {
  store: TerminalStore;
  preferences: Cell<Preferences>;
  /** Tells kaval; a failure is the caller's to log. */
  tell(call: ColourCall): void;
  signal: AbortSignal;
}

/** Until the signal aborts. */
export function keepColours({ store, preferences, tell, signal }: ColoursOptions): void {
  const say = (record: TerminalRecord): void => {
    const { foreground, background, cursor } = coloursOf(record.themeName, preferences.read().scheme);
    tell({ id: record.id, colors: { foreground, background, cursor } });
  };
  const stop = store.onChange((_id, before, after) => {
    if (after?.life !== "active") return;
    if (before?.life !== "active" || before.themeName !== after.themeName) say(after);
  });
  signal.addEventListener("abort", stop, { once: true });
  void (async () => {
    let told = preferences.read().scheme;
    for await (const { scheme } of preferences.watch(signal)) {
      if (scheme === told) continue;
      told = scheme;
      for (const record of store.all()) if (record.life === "active") say(record);
    }
  })();
}

/** "system" is each page's own answer; without one to ask, dark is what most terminals are. */
function coloursOf(themeName: string | null, scheme: Preferences["scheme"]) {
  const page: PageScheme = scheme === "light" ? "light" : "dark";
  return terminalScheme(themeName, page).colors;
}
