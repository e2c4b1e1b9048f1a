// Bringing parked terminals back: a shell under the same id in the same directory, the old screen above a divider, and
// the line that brings its agent's conversation back.

import type { TerminalId } from "@kolu/contract/ids.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { Places } from "@kolu/daemon/places.ts";
import type { AttentionWatch } from "../attention/watch.ts";
import type { KavalLink } from "../kaval-link.ts";
import { whenFirstPrompt } from "./first-prompt.ts";
import type { Follow } from "./follow.ts";
import { typedLine } from "./input.ts";
import { foldSpawned } from "./record.ts";
import { terminalEnvironment } from "./spawn.ts";
import type { TerminalStore } from "./store.ts";
import type { Themes } from "./themes.ts";
import { parentsFirst } from "./tree.ts";

export interface RestoreWorld {
  store: TerminalStore;
  follow: Follow;
  kaval: KavalLink;
  attention: AttentionWatch;
  places: Places;
  themes: Themes;
  /** The command line that resumes this agent's conversation; null when it cannot be resumed. */
  resumeLine(agent: NonNullable<TerminalRecord["agent"]>, startedBy: string | null): string | null;
  log: Log;
  now(): number;
}

export interface Restored {
  restored: TerminalId[];
  failed: { id: TerminalId; reason: string }[];
}

/**
 * Restores the named parked terminals, or all. One that fails stays parked and says why. Resolves when every shell runs;
 * the agents' lines are typed as the prompts appear. Rejects with `terminal-not-found` or `nothing-to-restore`.
 */
export async function restoreTerminals(
  ids: readonly TerminalId[] | undefined,
  world: RestoreWorld,
): Promise<Restored> {
  const { store } = world;
  for (const id of ids ?? []) if (!store.get(id)) throw terminalNotFound(id);
  const parked = store
    .all()
    .filter((record) => record.life === "parked" && (!ids || ids.includes(record.id)));
  if (parked.length === 0)
    throw refuse("nothing-to-restore", {}, "No terminal is parked: nothing has to be brought back.");
  const outcome: Restored = { restored: [], failed: [] };
  for (const record of parentsFirst(parked)) {
    try {
      await restoreOne(record, world);
      outcome.restored.push(record.id);
    } catch (error) {
      outcome.failed.push({ id: record.id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  store.commit();
  return outcome;
}

async function restoreOne(record: TerminalRecord, world: RestoreWorld): Promise<void> {
  const { store, kaval, attention, places, themes, follow, log } = world;
  const { id, agent } = record;
  const line = agent && world.resumeLine(agent, store.agentCommand(id));
  attention.expectOld(id);
  const spawned = await kaval.call("terminal.spawn", {
    id,
    cwd: record.cwd,
    cols: record.grid.cols,
    rows: record.grid.rows,
    resumeScreen: true,
    colors: await themes.colorsOf(record.themeName),
    ...terminalEnvironment(places),
  });
  store.update(id, (parked) => foldSpawned(parked, spawned.pid, world.now()), "now");
  if (line === null) return;
  // Not waited for: twenty shells start beside each other, and each gets its line when it is ready.
  void whenFirstPrompt(follow, id)
    .then((prompt) =>
      prompt === "gone" ? null : kaval.call("terminal.input", { id, text: typedLine(line) }),
    )
    .catch((error: unknown) => log.error(`the agent of terminal ${id} could not be resumed`, error));
}
