// Removing a terminal for good. The decision is on disk before kaval hears of it, so that neither a dropped link nor our
// own death brings the terminal back.
import type { TerminalId } from "@kolu/contract/ids.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { TerminalStore } from "./store.ts";

export interface Ended {
  pid: number | null;
  /** Processes that even KILL did not end. */
  survivors: number[];
}

/**
 * Ends the process where one lives, then the record (`removeRecord`). Rejects with `terminal-not-found`, `terminal-gone`,
 * or kaval's refusal: then the terminal is as it was.
 */
export async function removeTerminal(
  id: TerminalId,
  world: {
    store: TerminalStore;
    kaval: KavalLink;
    removeRecord(id: string, options: { kavalMayHold: boolean }): void;
  },
): Promise<Ended> {
  const { store, kaval, removeRecord } = world;
  const record = store.require(id);
  store.markRemoving(id);
  store.commit();
  try {
    // Without a live process nothing has to be waited for: kaval is told when it is there again.
    const unheard = record.life !== "active" && kaval.boot() === null;
    const { pid, survivors } = unheard ? NOTHING_ENDED : await endInKaval(id, kaval);
    removeRecord(id, { kavalMayHold: unheard });
    store.commit();
    return { pid, survivors };
  } catch (error) {
    // The caller is told that it failed: then it has not been decided after all.
    store.unmarkRemoving(id);
    throw error;
  }
}

const NOTHING_ENDED: Ended = { pid: null, survivors: [] };

async function endInKaval(id: TerminalId, kaval: KavalLink): Promise<Ended> {
  for (;;) {
    try {
      return await kaval.call("terminal.kill", { id });
    } catch (error) {
      if (isRefusal(error, "terminal-not-found")) return NOTHING_ENDED;
      if (!(error instanceof LinkLost)) throw error;
      // The link dropped under the call: killing again what is dead already does no harm.
    }
  }
}
