// Keeps kaval told of every terminal's colours: it answers programs that ask for them, whichever page looks, or none.
import type { KavalContract } from "@kolu/contract/kaval.ts";
import { type Preferences, schemeOf } from "@kolu/contract/preferences.ts";
import type { ParamsOf } from "@kolu/contract/rpc.ts";
import type { Cell } from "../cell.ts";
import type { TerminalStore } from "./store.ts";
import type { Themes } from "./themes.ts";

type ColourCall = ParamsOf<KavalContract, "terminal.setColors">;

export interface ColoursOptions {
  store: TerminalStore;
  preferences: Cell<Preferences>;
  themes: Themes;
  /** Tells kaval; a failure is the caller's to log. */
  tell(call: ColourCall): void;
  signal: AbortSignal;
}

/** Until the signal aborts. */
export function keepColours({ store, preferences, themes, tell, signal }: ColoursOptions): void {
  const say = async (id: string): Promise<void> => {
    for (;;) {
      const before = store.get(id);
      if (before?.life !== "active" || signal.aborted) return;
      const colors = await themes.colorsOf(before.themeName);
      // Loading themes takes a moment, in which somebody may have chosen another one.
      if (store.get(id)?.themeName === before.themeName) return tell({ id: before.id, colors });
    }
  };
  const stop = store.onChange((id, before, after) => {
    if (after?.life !== "active") return;
    if (before?.life !== "active" || before.themeName !== after.themeName) void say(id);
  });
  signal.addEventListener("abort", stop, { once: true });
  void (async () => {
    let told = schemeOf(preferences.read());
    for await (const changed of preferences.watch(signal)) {
      const scheme = schemeOf(changed);
      if (scheme === told) continue;
      told = scheme;
      for (const record of store.all()) if (record.life === "active") void say(record.id);
    }
  })();
}
