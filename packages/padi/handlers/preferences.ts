// The preferences that every page shares.

import { isDeepStrictEqual } from "node:util";
import type { PadiContract, Preferences } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { createCell } from "../cell.ts";
import type { PadiDb } from "../db/db.ts";
import { given } from "../terminals/spawn.ts";

export function preferencesHandlers(
  db: PadiDb,
): Pick<Handlers<PadiContract>, "preferences.watch" | "preferences.set"> {
  const preferences = createCell<Preferences>(db.preferences.load(), isDeepStrictEqual);
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
