// When an agent that is only just starting takes its first prompt. Pure.
import type { AgentReading } from "@kolu/contract/agent.ts";

export interface Waiting {
  /** Since when `agent` has been what it is. */
  sinceMs: number;
  /** Its state; null: none is there. "gone": there was one. */
  agent: AgentReading["state"] | "gone" | null;
}

/** A command line that starts no agent in this time starts none. */
const NO_AGENT_MS = 60_000;
/** An agent whose files say nothing before its first prompt is taken to be ready once it has stood for this long. */
const UNKNOWN_MS = 8_000;
/** Started again by its own launcher, it is gone for a moment. */
const GONE_MS = 5_000;
/** It says that it is ready a moment before its composer takes keys. */
const SETTLE_MS = 300;
/** While it asks a person, or works, nothing but a change of that counts. */
const PATIENCE_MS = 60 * 60 * 1_000;

export function noteAgent(before: Waiting, agent: AgentReading | null, nowMs: number): Waiting {
  const had = before.agent !== null;
  const now = agent?.state ?? (had ? "gone" : null);
  return now === before.agent ? before : { sinceMs: nowMs, agent: now };
}

/** `ready`: from then on, if nothing changes until then. `later`: look again then. `never`: why not. */
export type Ready = { kind: "ready" | "later"; atMs: number } | { kind: "never"; reason: string };

export function readyAt({ agent, sinceMs }: Waiting, nowMs: number): Ready {
  const within = (limitMs: number, reason: string): Ready =>
    nowMs >= sinceMs + limitMs ? { kind: "never", reason } : { kind: "later", atMs: sinceMs + limitMs };
  switch (agent) {
    case null:
      return within(NO_AGENT_MS, "no agent was seen to start");
    case "gone":
      return within(GONE_MS, "the agent ended before that");
    case "waiting":
      return { kind: "ready", atMs: sinceMs + SETTLE_MS };
    case "unknown":
      return { kind: "ready", atMs: sinceMs + UNKNOWN_MS };
    case "awaiting":
    case "thinking":
    case "tool_use":
    case "background":
      return within(PATIENCE_MS, "the agent was busy for an hour");
    default:
      return agent satisfies never;
  }
}
