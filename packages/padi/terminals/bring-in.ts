// What terminals from a backup or a file become beside those that are here. Pure: nothing that is here is replaced, and
// nothing that runs is touched.

import { NO_BACKGROUND } from "@kolu/contract/agent.ts";
import { DEFAULT_COLS, DEFAULT_ROWS } from "@kolu/contract/limits.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import type { WorkspaceFile } from "@kolu/contract/workspace.ts";
import { interrupted, newRecord } from "./record.ts";
import { conversationOf, fromSaved, type SavedTerminal } from "./saved.ts";
import type { KnownBesides } from "./store.ts";

type Records = ReadonlyMap<string, TerminalRecord>;

export interface Newcomer {
  record: TerminalRecord;
  known: KnownBesides;
}

export interface Merge {
  newcomers: Newcomer[];
  /** Of those that are here: what a person had arranged. */
  arranged: { id: TerminalRecord["id"]; changes: Partial<TerminalRecord> }[];
}

/** A backup over the workspace of now. */
export function mergeBackup(here: Records, backup: readonly SavedTerminal[], nowMs: number): Merge {
  const known = new Set<string>([...here.keys(), ...backup.map(({ id }) => id)]);
  const merge: Merge = { newcomers: [], arranged: [] };
  for (const saved of backup) {
    const parentId = saved.parentId !== null && known.has(saved.parentId) ? saved.parentId : null;
    if (here.has(saved.id)) {
      const { intent, themeName, fontPx, layout } = saved;
      merge.arranged.push({ id: saved.id, changes: { parentId, intent, themeName, fontPx, layout } });
      continue;
    }
    const { agentCommand, lastConversation } = saved;
    const record: TerminalRecord = {
      ...fromSaved(saved),
      parentId,
      life: saved.life === "sleeping" ? "sleeping" : "parked",
      lifeSinceMs: nowMs,
      exit: null,
      agent: interrupted(saved.agent),
    };
    merge.newcomers.push({ record, known: { agentCommand, lastConversation } });
  }
  return merge;
}

/** Room between what is here and what comes in. */
const GAP_PX = 96;

/** A file's terminals, asleep, right of everything that is here; those that are here already are left out. */
export function mergeFile(here: Records, file: WorkspaceFile, nowMs: number): Newcomer[] {
  const wanted = file.terminals.filter(({ id }) => !here.has(id));
  const known = new Set<string>([...here.keys(), ...wanted.map(({ id }) => id)]);
  const shift = shiftBeside(
    [...here.values()].map(({ layout }) => layout),
    wanted.map(({ layout }) => layout),
  );
  return wanted.map((one) => {
    const { id, cwd, intent, themeName, layout, agent } = one;
    const parentId = one.parentId !== null && known.has(one.parentId) ? one.parentId : null;
    const reading = agent && readingOf(agent, nowMs);
    const record: TerminalRecord = {
      ...newRecord({ id, parentId, cwd, intent, themeName }, nowMs),
      layout: layout && { ...layout, x: layout.x + shift },
      createdAtMs: one.createdAtMs,
      life: "sleeping",
      fontPx: one.fontPx,
      grid: { cols: DEFAULT_COLS, rows: DEFAULT_ROWS },
      agent: reading,
    };
    return {
      record,
      known: { agentCommand: agent?.command ?? null, lastConversation: conversationOf(reading) },
    };
  });
}

function readingOf(
  agent: NonNullable<WorkspaceFile["terminals"][number]["agent"]>,
  nowMs: number,
): TerminalRecord["agent"] {
  const { kind, sessionId, sessionPath, title, model, prompted } = agent;
  return interrupted({
    kind,
    sessionId,
    sessionPath,
    title,
    model,
    prompted,
    state: "unknown",
    bucket: null,
    sinceMs: nowMs,
    source: "process",
    awaiting: null,
    unknownReason: null,
    error: null,
    pid: null,
    version: null,
    contextTokens: null,
    todos: null,
    background: NO_BACKGROUND,
    startedAtMs: null,
  });
}

function shiftBeside(here: readonly (Layout | null)[], coming: readonly (Layout | null)[]): number {
  const right = Math.max(...here.map((layout) => (layout ? layout.x + layout.w : Number.NEGATIVE_INFINITY)));
  const left = Math.min(...coming.map((layout) => layout?.x ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(right) && Number.isFinite(left) ? right + GAP_PX - left : 0;
}

/** A parent chain that leads back to itself cannot be drawn: such a file is refused. */
export function hasCircle(terminals: readonly { id: string; parentId: string | null }[]): boolean {
  const parents = new Map(terminals.map(({ id, parentId }) => [id, parentId]));
  return terminals.some(({ id }) => {
    let at = parents.get(id) ?? null;
    for (let step = 0; at !== null && step <= parents.size; step++) {
      if (at === id) return true;
      at = parents.get(at) ?? null;
    }
    return false;
  });
}
