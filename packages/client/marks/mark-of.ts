// From a record to what its mark says: silhouette, words, badge. Pure. Every surface that shows a state asks here.
import type { AgentReading, BackgroundWork } from "@kolu/contract/agent.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

/** One silhouette each: see shapes.ts. */
export type MarkKind =
  | "thinking"
  | "tool_use"
  | "background"
  | "awaiting"
  | "waiting"
  | "error"
  | "exited"
  | "parked"
  | "unknown"
  | "sleeping"
  | "shell";

export interface Mark {
  kind: MarkKind;
  /** What a person reads: "Thinking", "Finished", "2 shells". Never empty. */
  words: string;
  /** More, on hover: why it is unknown, what it asks, which error. */
  why: string | null;
  /** Finished or asked while nobody was looking. */
  unread: boolean;
  /** Output flows right now. */
  lively: boolean;
}

export function markOf(record: TerminalRecord): Mark {
  return { ...stateOf(record), unread: record.unread > 0, lively: record.busy };
}

type State = Pick<Mark, "kind" | "words" | "why">;

function stateOf(record: TerminalRecord): State {
  switch (record.life) {
    case "parked":
      return { kind: "parked", words: "Waiting for restore", why: null };
    case "sleeping":
      return { kind: "sleeping", words: "Asleep", why: null };
    case "exited":
      return { kind: "exited", words: exitWords(record), why: null };
    case "active":
      if (record.agent) return stateOfAgent(record.agent);
      if (record.program) return stateOfProgram(record.program);
      return { kind: "shell", words: "Shell", why: null };
    default:
      return record.life satisfies never;
  }
}

function exitWords({ exit }: TerminalRecord): string {
  if (exit === null) return "Ended";
  return exit.signal > 0 ? `Ended by signal ${exit.signal}` : `Ended with status ${exit.code}`;
}

function stateOfAgent(agent: AgentReading): State {
  switch (agent.state) {
    case "thinking":
      return { kind: "thinking", words: "Thinking", why: null };
    case "tool_use":
      return { kind: "tool_use", words: "Running tools", why: null };
    case "background":
      return { kind: "background", words: backgroundWords(agent.background), why: null };
    case "awaiting":
      return {
        kind: "awaiting",
        words: "Needs you",
        why: agent.awaiting?.message ?? agent.awaiting?.kind ?? null,
      };
    case "waiting":
      if (agent.error !== null) return { kind: "error", words: "Stopped with an error", why: agent.error };
      return { kind: "waiting", words: waitingWords(agent), why: null };
    case "unknown":
      return { kind: "unknown", words: "Unknown", why: agent.unknownReason };
    default:
      return agent.state satisfies never;
  }
}

function waitingWords({ prompted, background }: AgentReading): string {
  if (!prompted) return "Ready";
  const { shells } = background;
  return shells === 0 ? "Finished" : `Finished, ${counted(shells, "shell")} running`;
}

function backgroundWords({ workflows, agents }: BackgroundWork): string {
  const names = workflows.map(({ name }) => name);
  const agentCount = agents.length + workflows.reduce((sum, workflow) => sum + workflow.agents, 0);
  const parts = [...names, ...(agentCount > 0 ? [counted(agentCount, "agent")] : [])];
  return parts.length === 0 ? "In background" : `In background (${parts.join(", ")})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A program that reports in band without being a known agent: same marks, its own words where it gives some. */
function stateOfProgram(program: ProgramRecord): State {
  const why = program.message;
  switch (program.state) {
    case "working":
      return { kind: "thinking", words: progressWords("Working", program.progress), why };
    case "blocked":
      return { kind: "awaiting", words: "Needs you", why: why ?? program.kind };
    case "done":
      return { kind: "waiting", words: "Done", why };
    case "error":
      return { kind: "error", words: "Stopped with an error", why };
    case "idle":
      return { kind: "waiting", words: "Idle", why };
    default:
      return program.state satisfies never;
  }
}

function progressWords(word: string, progress: number | null): string {
  return progress === null ? word : `${word}, ${Math.round(progress)} %`;
}

/** Everything that a mark says, for those who cannot see it. */
export function markLabel(mark: Mark): string {
  const parts = [mark.words];
  if (mark.why !== null) parts.push(mark.why);
  if (mark.unread) parts.push("not seen");
  return parts.join(", ");
}

/** The word of attention that a whole row or tile carries: violet beats amber. */
export type Attention = "needs-you" | "not-seen" | null;

export function attentionOf(mark: Mark): Attention {
  if (mark.kind === "awaiting") return "needs-you";
  return mark.unread ? "not-seen" : null;
}
