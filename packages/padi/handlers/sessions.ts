// Putting terminals away and bringing them back.
import type { PadiContract } from "@kolu/contract/padi.ts";
import { terminalNotFound } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { planRestore, type RestoreWorld } from "../terminals/restore.ts";
import type { Restores } from "../terminals/restores.ts";
import { sleepTerminals } from "../terminals/sleep.ts";
import { parentsFirst } from "../terminals/tree.ts";

export interface SessionsWorld extends RestoreWorld {
  restores: Restores;
}

type SessionHandlers = Pick<
  Handlers<PadiContract>,
  | "terminal.sleep"
  | "terminal.restore"
  | "restore.plan"
  | "restore.watch"
  | "restore.cancel"
  | "restore.dismiss"
>;

export function sessionHandlers(world: SessionsWorld): SessionHandlers {
  const { store, restores } = world;
  return {
    "terminal.sleep": (params) => sleepTerminals(params, world),
    "terminal.restore": (params) => restores.restore(params),
    "restore.plan"({ ids }) {
      for (const id of ids ?? []) if (!store.get(id)) throw terminalNotFound(id);
      const wanted = store.all().filter(({ id, life }) => (ids ? ids.includes(id) : life === "parked"));
      return { rows: parentsFirst(wanted).map((record) => planRestore(record, world)) };
    },
    "restore.watch": (_params, { signal }) => restores.progress.watch(signal),
    "restore.cancel"() {
      restores.cancel();
      return {};
    },
    "restore.dismiss"() {
      restores.dismiss();
      return {};
    },
  };
}
