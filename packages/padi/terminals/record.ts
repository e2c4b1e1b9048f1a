// How a terminal's record follows from what is heard: pure, time comes in. A fold returns the same object when nothing
// changed, so identity means "no news".

import { isDeepStrictEqual } from "node:util";
import { quoteWords } from "@kolu/anyagent/command-line.ts";
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import { DEFAULT_COLS, DEFAULT_ROWS } from "@kolu/contract/limits.ts";
import type { TilePlace } from "@kolu/contract/padi.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type {
  ForegroundFacts,
  GitFacts,
  PortFacts,
  PullRequest,
  TerminalRecord,
} from "@kolu/contract/terminal.ts";

/** What a terminal without a process listens on. */
export const NO_PORTS: PortFacts = { status: "known", list: [] };
/** A terminal is busy this long after its last meaningful output. */
export const BUSY_MS = 1_000;
/** While output flows on, the record's time of activity is stamped this often and not at every chunk. */
const ACTIVITY_STAMP_MS = 5_000;

/** What a terminal is created with, apart from its process. */
export interface Birth {
  id: TerminalId;
  parentId: TerminalId | null;
  intent: string | null;
  themeName: string | null;
  cwd: string;
  /** Where its tile should stand. */
  place?: TilePlace;
}

export function newRecord(birth: Birth, nowMs: number): TerminalRecord {
  return {
    id: birth.id,
    parentId: birth.parentId,
    createdAtMs: nowMs,
    life: "active",
    lifeSinceMs: nowMs,
    exit: null,
    pid: null,
    cwd: birth.cwd,
    title: null,
    intent: birth.intent,
    rootCommand: null,
    command: null,
    foreground: null,
    grid: { cols: DEFAULT_COLS, rows: DEFAULT_ROWS },
    themeName: birth.themeName,
    fontPx: null,
    git: null,
    pr: null,
    ports: { status: "unknown" },
    agent: null,
    program: null,
    progress: null,
    busy: false,
    lastActivityAtMs: null,
    unread: 0,
    layout: null,
  };
}

/** The record of a terminal that somebody else made, found in kaval. */
export function adoptedRecord(row: KavalTerminal, nowMs: number): TerminalRecord {
  const birth = { id: row.id, parentId: null, intent: null, themeName: null, cwd: row.cwd };
  const record = { ...newRecord(birth, row.createdAtMs), lifeSinceMs: nowMs };
  return row.life === "saved"
    ? { ...foldDescription(record, row), life: "parked" }
    : foldLiveRow(record, row, nowMs);
}

/** A live row of kaval: the record is active, whatever it was before. */
export function foldLiveRow(record: TerminalRecord, row: KavalTerminal, nowMs: number): TerminalRecord {
  const described = foldDescription(record, row);
  return foldActivity(
    change(described, {
      life: "active",
      lifeSinceMs: record.life === "active" ? record.lifeSinceMs : nowMs,
      exit: null,
      // A reading from before its process died says nothing about the new one.
      agent: record.life === "active" ? record.agent : null,
      pid: row.pid,
      progress: row.progress?.value ?? null,
      foreground: row.foregroundPid === null ? null : record.foreground,
    }),
    row.lastOutputAtMs,
    nowMs,
  );
}

/** kaval says that the process runs again; its row follows. */
export function foldSpawned(record: TerminalRecord, pid: number, nowMs: number): TerminalRecord {
  if (record.life === "active") return record;
  return { ...record, life: "active", lifeSinceMs: nowMs, exit: null, agent: null, pid };
}

/** What a row tells of a terminal whether or not its process lives. */
function foldDescription(record: TerminalRecord, row: KavalTerminal): TerminalRecord {
  return change(record, {
    cwd: row.cwd,
    title: row.title,
    command: row.command,
    rootCommand: row.commandRooted ? row.argv : null,
    grid: { cols: row.cols, rows: row.rows },
  });
}

/** Output flowed at `lastOutputAtMs`, or time passed since. Coarse while it flows on, exact when it starts and stops. */
export function foldActivity(
  record: TerminalRecord,
  lastOutputAtMs: number | null,
  nowMs: number,
): TerminalRecord {
  if (lastOutputAtMs === null) return change(record, { busy: false });
  const busy = record.life === "active" && nowMs - lastOutputAtMs < BUSY_MS;
  const stampedMs = record.lastActivityAtMs ?? 0;
  const stamp = busy !== record.busy || lastOutputAtMs - stampedMs >= ACTIVITY_STAMP_MS;
  return change(record, { busy, lastActivityAtMs: stamp ? lastOutputAtMs : record.lastActivityAtMs });
}

/** The process died with kaval or the machine: what it was doing is kept for the way back, and said to be over. */
export function park(record: TerminalRecord, nowMs: number): TerminalRecord {
  return { ...withoutProcess(record), life: "parked", lifeSinceMs: nowMs, agent: interrupted(record.agent) };
}

/** Put away by a person, who has seen what there was to see. */
export function asleep(record: TerminalRecord, nowMs: number): TerminalRecord {
  const agent = interrupted(record.agent);
  return { ...withoutProcess(record), life: "sleeping", lifeSinceMs: nowMs, agent, unread: 0 };
}

/** The root process ended with a status other than 0: the record stays until it is closed. */
export function exited(
  record: TerminalRecord,
  exit: { code: number; signal: number },
  nowMs: number,
): TerminalRecord {
  return { ...withoutProcess(record), life: "exited", lifeSinceMs: nowMs, exit, agent: null };
}

function withoutProcess(record: TerminalRecord): TerminalRecord {
  const command = record.command?.running ? { ...record.command, running: false } : record.command;
  return {
    ...record,
    pid: null,
    foreground: null,
    program: null,
    progress: null,
    busy: false,
    command,
    ports: NO_PORTS,
  };
}

const INTERRUPTED = "Its process is gone; bringing the terminal back brings the conversation back.";

/** A reading of an agent whose process is gone: who it was stays true, what it did does not. */
export function interrupted(agent: AgentReading | null): AgentReading | null {
  if (agent === null) return null;
  return {
    ...agent,
    state: "unknown",
    bucket: null,
    source: "process",
    awaiting: null,
    unknownReason: INTERRUPTED,
    pid: null,
  };
}

/** The command line behind a terminal's agent, for the way back. */
export function startedBy(record: TerminalRecord): string | null {
  if (record.rootCommand) return quoteWords(record.rootCommand);
  return record.command?.running && record.command.line !== "" ? record.command.line : null;
}

/** A state that lasted through a restart of padi began when it began, not when padi looked again. */
export function sinceBefore(agent: AgentReading, saved: AgentReading | null): AgentReading {
  const same =
    saved !== null &&
    saved.kind === agent.kind &&
    saved.sessionId === agent.sessionId &&
    saved.state === agent.state &&
    saved.sinceMs < agent.sinceMs;
  return same ? { ...agent, sinceMs: saved.sinceMs } : agent;
}

export function foldForeground(record: TerminalRecord, foreground: ForegroundFacts | null): TerminalRecord {
  return change(record, { foreground });
}

export function foldGit(record: TerminalRecord, git: GitFacts | null): TerminalRecord {
  // A pull request belongs to its branch.
  const sameBranch = record.git?.root === git?.root && record.git?.branch === git?.branch;
  return change(record, sameBranch ? { git } : { git, pr: null });
}

export function foldPullRequest(record: TerminalRecord, pr: PullRequest | null): TerminalRecord {
  return change(record, { pr });
}

export function foldPorts(record: TerminalRecord, ports: PortFacts): TerminalRecord {
  return change(record, { ports: record.life === "active" ? ports : NO_PORTS });
}

export function foldDetection(
  record: TerminalRecord,
  outcome: { agent: AgentReading | null; program: ProgramRecord | null },
): TerminalRecord {
  return change(record, outcome);
}

/** `record` with `changes`, or `record` itself when they say nothing new. */
export function change(record: TerminalRecord, changes: Partial<TerminalRecord>): TerminalRecord {
  for (const [name, value] of Object.entries(changes)) {
    if (!isDeepStrictEqual(record[name as keyof TerminalRecord], value)) return { ...record, ...changes };
  }
  return record;
}
