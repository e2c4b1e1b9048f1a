// For tests: values that are whole without saying much.
import type { AgentReading, AgentState } from "@kolu/contract/agent.ts";
import { bucketOf, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import type { GitFacts, TerminalRecord } from "@kolu/contract/terminal.ts";
import { newRecord } from "./terminals/record.ts";

/** A uuid that tells tests apart: `testId(7)` ends in 7. */
export function testId(n: number): TerminalId {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}` as TerminalId;
}

export function testRecord(n: number, changes: Partial<TerminalRecord> = {}): TerminalRecord {
  const birth = { id: testId(n), parentId: null, intent: null, layout: null, themeName: null, cwd: "/work" };
  return { ...newRecord(birth, 1_000), ...changes };
}

export function testRow(n: number, changes: Partial<KavalTerminal> = {}): KavalTerminal {
  return {
    id: testId(n),
    life: "live",
    pid: 4_000 + n,
    argv: ["/bin/bash"],
    commandRooted: false,
    cols: 80,
    rows: 24,
    createdAtMs: 1_000,
    offset: 0,
    exit: null,
    cwd: "/work",
    title: null,
    command: null,
    foregroundPid: 4_000 + n,
    atPrompt: true,
    program: [],
    progress: null,
    lastOutputAtMs: null,
    lastInputAtMs: null,
    lastInputOffset: null,
    inputQueuedBytes: 0,
    viewers: 0,
    ...changes,
  };
}

export function testAgent(state: AgentState, changes: Partial<AgentReading> = {}): AgentReading {
  return {
    kind: "test-agent",
    state,
    bucket: bucketOf(state),
    sinceMs: 10_000,
    source: "status-file",
    awaiting: null,
    unknownReason: null,
    error: null,
    pid: 77,
    sessionId: "s-1",
    sessionPath: null,
    version: null,
    model: null,
    contextTokens: null,
    title: null,
    todos: null,
    background: NO_BACKGROUND,
    startedAtMs: null,
    prompted: true,
    ...changes,
  };
}

export function gitFacts(changes: Partial<GitFacts> = {}): GitFacts {
  return {
    root: "/work",
    name: "work",
    mainRoot: "/work",
    branch: "main",
    head: "abc1234",
    isWorktree: false,
    upstream: null,
    ahead: null,
    behind: null,
    dirty: false,
    ...changes,
  };
}
