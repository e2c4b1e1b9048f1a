// The preferences that every page shares.

import { isDeepStrictEqual } from "node:util";
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Preferences } from "@kolu/contract/preferences.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { type Cell, createCell } from "../cell.ts";
import type { PadiDb } from "../db/db.ts";
import { given } from "../terminals/spawn.ts";

/** The preferences in memory, as the database has them. */
export function loadPreferences(db: PadiDb): Cell<Preferences> {
  return createCell<Preferences>(db.preferences.load(), isDeepStrictEqual);
}

export function preferencesHandlers({
  db,
  preferences,
}: {
  db: PadiDb;
  preferences: Cell<Preferences>;
}): Pick<Handlers<PadiContract>, "preferences.watch" | "preferences.set"> {
  return {
    "preferences.watch": (_params, { signal }) => preferences.watch(signal),
    "preferences.set"(params) {
      const changes = given(params);
      db.transaction(() => db.preferences.put(changes));
      preferences.set({ ...preferences.read(), ...changes });
      return {};
    },
  };
}
