// What a terminal without a process comes back to, and its shell: under the same id, in the same directory, the old screen
// above a divider. restores.ts has them come back one after the other.
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { RestorePlanRow } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { Places } from "@kolu/daemon/places.ts";
import type { AttentionWatch } from "../attention/watch.ts";
import type { WayBack } from "../detect/resume.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { Follow } from "./follow.ts";
import { foldSpawned } from "./record.ts";
import { terminalEnvironment } from "./spawn.ts";
import type { TerminalStore } from "./store.ts";
import type { Themes } from "./themes.ts";

export interface RestoreWorld {
  store: TerminalStore;
  follow: Follow;
  kaval: KavalLink;
  attention: AttentionWatch;
  places: Places;
  themes: Themes;
  wayBack(agent: AgentReading, startedBy: string | null): WayBack | null;
  /** The command that installs an agent; null where none is known. */
  installLine(agentKind: string): string | null;
  log: Log;
  now(): number;
}

export function isRestorable({ life }: Pick<TerminalRecord, "life">): boolean {
  return life === "parked" || life === "sleeping";
}

export function planRestore(
  record: TerminalRecord,
  { store, wayBack }: Pick<RestoreWorld, "store" | "wayBack">,
): RestorePlanRow {
  const { id, agent } = record;
  const way = agent && wayBack(agent, store.agentCommand(id));
  return {
    id,
    agent: way && agent ? { kind: agent.kind, ...way } : null,
    lostAgent: agent !== null && way === null ? agent.kind : null,
    notRerun: agent === null ? interruptedIn(record) : null,
  };
}

/** What ran as the process died: the shell never said that it ended. */
function interruptedIn({ rootCommand, command }: TerminalRecord): string | null {
  if (rootCommand !== null) return rootCommand.join(" ");
  if (command === null || command.endedAtMs !== null || command.exitStatus !== null) return null;
  return command.line === "" ? null : command.line;
}

/** Resolves when the shell runs; the record is active then. Rejects with kaval's refusal: then it is as it was. */
export async function restoreShell(record: TerminalRecord, world: RestoreWorld): Promise<void> {
  const { store, kaval, attention, places, themes, now } = world;
  const { id } = record;
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
  store.update(id, (parked) => foldSpawned(parked, spawned.pid, now()), "now");
}
