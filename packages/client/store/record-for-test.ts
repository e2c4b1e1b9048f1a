// A record to start from in unit tests.
import { type AgentReading, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import { TerminalId } from "@kolu/contract/ids.ts";
import type { GitFacts, TerminalRecord } from "@kolu/contract/terminal.ts";

export function idForTest(n: number): TerminalId {
  return TerminalId.parse(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
}

export function recordForTest(n: number, changed: Partial<TerminalRecord> = {}): TerminalRecord {
  return {
    id: idForTest(n),
    parentId: null,
    createdAtMs: n,
    life: "active",
    lifeSinceMs: n,
    exit: null,
    pid: 1000 + n,
    cwd: "/home/me",
    title: null,
    intent: null,
    rootCommand: null,
    command: null,
    foreground: null,
    grid: { cols: 80, rows: 24 },
    themeName: null,
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
    ...changed,
  };
}

export function gitForTest(name: string, branch: string | null = "main"): GitFacts {
  return {
    root: `/home/me/${name}`,
    name,
    mainRoot: `/home/me/${name}`,
    branch,
    head: "abc1234",
    isWorktree: false,
    upstream: null,
    ahead: null,
    behind: null,
    dirty: false,
  };
}

export function agentForTest(changed: Partial<AgentReading> = {}): AgentReading {
  return {
    kind: "claude-code",
    state: "waiting",
    bucket: "waiting",
    sinceMs: 0,
    source: "transcript",
    awaiting: null,
    unknownReason: null,
    error: null,
    pid: 1,
    sessionId: null,
    sessionPath: null,
    version: null,
    model: null,
    contextTokens: null,
    title: null,
    todos: null,
    background: NO_BACKGROUND,
    startedAtMs: null,
    prompted: true,
    ...changed,
  };
}
