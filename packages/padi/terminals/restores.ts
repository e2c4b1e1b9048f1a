// Restores under way: shells come back one after the other, agents a few at a time, and every page sees how far each has
// come. What has not begun can be called off.
import type { TerminalId } from "@kolu/contract/ids.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import {
  isUnderWay,
  type RestoreParams,
  type RestoreProgress,
  type RestoreRow,
} from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type Cell, createCell } from "../cell.ts";
import type { WayBack } from "../detect/resume.ts";
import { type AgentStart, startAgent } from "./agent-start.ts";
import { whenFirstPrompt } from "./first-prompt.ts";
import { typedLine } from "./input.ts";
import { isRestorable, type RestoreWorld, restoreShell } from "./restore.ts";
import { parentsFirst } from "./tree.ts";

/** Agents are heavy to start: more of them at once come back no sooner, and the machine stands still. */
const AGENTS_AT_ONCE = 4;

export interface Restored {
  restored: TerminalId[];
  failed: { id: TerminalId; reason: string }[];
}

export interface Restores {
  progress: Cell<RestoreProgress>;
  /**
   * Brings back the named terminals, or all that are parked. One that fails stays as it was and says why. Resolves when
   * every shell runs; the agents follow. Rejects with `terminal-not-found` or `nothing-to-restore`.
   */
  restore(params: RestoreParams): Promise<Restored>;
  cancel(): void;
  dismiss(): void;
}

type Agent = NonNullable<TerminalRecord["agent"]>;
interface Run {
  calledOff: boolean;
}

export function createRestores(world: RestoreWorld): Restores {
  const { store, follow, kaval, log } = world;
  const rows = new Map<TerminalId, RestoreRow>();
  const progress = createCell<RestoreProgress>({ rows: [] });
  const runs = new Set<Run>();
  const agents = createGate(AGENTS_AT_ONCE);

  function note(id: TerminalId, step: RestoreRow["step"], more: Partial<RestoreRow> = {}): void {
    rows.set(id, { id, step, reason: null, mend: null, ...more });
    progress.set({ rows: [...rows.values()] });
  }

  function clearDone(): void {
    if ([...rows.values()].some(isUnderWay)) return;
    rows.clear();
    progress.set({ rows: [] });
  }

  function wanted(ids: readonly TerminalId[] | undefined): TerminalRecord[] {
    for (const id of ids ?? []) if (!store.get(id)) throw terminalNotFound(id);
    const found = store.all().filter((record) => {
      const row = rows.get(record.id);
      if (row && isUnderWay(row)) return false;
      return ids ? isRestorable(record) && ids.includes(record.id) : record.life === "parked";
    });
    if (found.length > 0) return parentsFirst(found);
    throw refuse("nothing-to-restore", {}, "No terminal is parked: nothing has to be brought back.");
  }

  async function bringBack(id: TerminalId, run: Run, shellOnly: boolean): Promise<void> {
    const record = store.get(id);
    if (!record || !isRestorable(record)) {
      rows.delete(id);
      return;
    }
    const way = shellOnly || !record.agent ? null : world.wayBack(record.agent, store.agentCommand(id));
    note(id, "starting");
    await restoreShell(record, world);
    if (way === null || record.agent === null) return note(id, "done");
    note(id, "shell");
    // Not waited for: shells start beside each other, and each gets its line when it is ready.
    bringAgent(id, { agent: record.agent, way, run }).catch((error: unknown) => {
      log.error(`the agent of terminal ${id} could not be resumed`, error);
      note(id, "failed", { reason: messageOf(error), mend: way.line });
    });
  }

  async function bringAgent(
    id: TerminalId,
    { agent, way, run }: { agent: Agent; way: WayBack; run: Run },
  ): Promise<void> {
    const prompt = await whenFirstPrompt(follow, id);
    if (prompt === "gone") return note(id, "failed", { reason: "Its shell ended before its first prompt." });
    await agents(async () => {
      if (run.calledOff)
        return note(id, "left", { reason: "Its shell is back, its agent was called off.", mend: way.line });
      note(id, "agent");
      const type = () => kaval.call("terminal.input", { id, text: typedLine(way.line) });
      const start = await startAgent({ id, agentKind: agent.kind, type }, world);
      const fault = faultOf(start, { install: world.installLine(agent.kind), line: way.line });
      note(id, fault ? "failed" : "done", fault ?? {});
    });
  }

  return {
    progress,
    async restore({ ids, shellOnlyIds = [] }) {
      const records = wanted(ids);
      clearDone();
      const run: Run = { calledOff: false };
      runs.add(run);
      const outcome: Restored = { restored: [], failed: [] };
      for (const { id } of records) note(id, "queued");
      for (const { id } of records) {
        if (run.calledOff) {
          note(id, "left");
          continue;
        }
        try {
          await bringBack(id, run, shellOnlyIds.includes(id));
          if (rows.has(id)) outcome.restored.push(id);
        } catch (error) {
          note(id, "failed", { reason: messageOf(error) });
          outcome.failed.push({ id, reason: messageOf(error) });
        }
      }
      store.commit();
      return outcome;
    },
    cancel() {
      for (const run of runs) run.calledOff = true;
      runs.clear();
    },
    dismiss: clearDone,
  };
}

/** A shell answers so when it knows no program of that name. */
const NOT_FOUND_STATUS = 127;

/** What to say of a start that came to nothing; null: the agent is back. Pure. */
export function faultOf(
  start: AgentStart,
  { install, line }: { install: string | null; line: string },
): Pick<RestoreRow, "reason" | "mend"> | null {
  switch (start.kind) {
    case "back":
      return null;
    case "ended":
      return start.status === NOT_FOUND_STATUS
        ? {
            reason: "Its agent is not installed here, or not on the PATH of this shell.",
            mend: install ?? line,
          }
        : {
            reason: `Its agent ended at once, with status ${start.status}: its screen says why.`,
            mend: line,
          };
    case "terminal-gone":
      return { reason: "Its shell ended while its agent was starting.", mend: null };
    case "silent":
      return { reason: "Its agent has not shown itself within a minute: look at its screen.", mend: null };
    default:
      return start satisfies never;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** At most so many at once; the others wait in line. */
function createGate(atOnce: number): (work: () => Promise<void>) => Promise<void> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
