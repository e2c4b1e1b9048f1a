// Putting terminals away. What a person could lose is decided in sleep-holds.ts, how a process is ended in follow.ts.
import type { SleepResult } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { Follow } from "./follow.ts";
import type { RestoreWorld } from "./restore.ts";
import { sleepHold } from "./sleep-holds.ts";
import type { TerminalStore } from "./store.ts";

export interface SleepWorld {
  store: TerminalStore;
  follow: Follow;
  wayBack: RestoreWorld["wayBack"];
  log: Log;
}

/** Answers for each terminal. Rejects with `terminal-not-found` or `terminal-gone`: then none was touched. */
export async function sleepTerminals(
  { ids, force }: { ids: readonly TerminalRecord["id"][]; force?: boolean | undefined },
  world: SleepWorld,
): Promise<SleepResult> {
  const records = ids.map((id) => world.store.require(id));
  const result: SleepResult = { slept: [], kept: [] };
  await Promise.all(
    records.map(async (record) => {
      const { id } = record;
      const wayBack = record.agent && world.wayBack(record.agent, world.store.agentCommand(id));
      const hold = sleepHold(record, wayBack);
      if (hold && (force !== true || hold.why === "ended")) {
        result.kept.push({ id, ...hold });
        return;
      }
      try {
        await world.follow.putAway(id);
        result.slept.push(id);
      } catch (error) {
        world.log.error(`terminal ${id} could not be put to sleep`, error);
        const reason = error instanceof Error ? error.message : String(error);
        result.kept.push({ id, why: "failed", sentence: `It could not be put to sleep: ${reason}` });
      }
    }),
  );
  return result;
}
