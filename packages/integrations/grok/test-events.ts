// Events and files as 1.0.41 writes them, for tests that need an order of their own.
import type { LiveSignals } from "@kolu/anyagent/plugin.ts";
import { foldEventLine, NO_TURN, NO_UPDATES, type Turn } from "./fold.ts";
import type { GrokFiles } from "./judge.ts";
import { NO_SUBAGENTS } from "./subagents.ts";

/** Start of the turns in the tests, epoch milliseconds. */
export const STARTED_AT_MS = Date.parse("2026-11-30T09:00:00Z");

export function event(type: string, more: Record<string, unknown> = {}, ms = 0): string {
  return JSON.stringify({ ts: new Date(STARTED_AT_MS + ms).toISOString(), type, ...more });
}
export const turnStarted = (ms = 0) => event("turn_started", { turn_number: 0, model_id: "grok-demo" }, ms);
export const turnEnded = (outcome = "completed", ms = 0) => event("turn_ended", { outcome }, ms);
export const phase = (name: string, ms = 0) => event("phase_changed", { phase: name }, ms);
export const started = (tool: string, ms = 0) => event("tool_started", { tool_name: tool }, ms);
export const completed = (tool: string, ms = 0) => event("tool_completed", { tool_name: tool }, ms);
export const requested = (tool: string, ms = 0) => event("permission_requested", { tool_name: tool }, ms);
export const resolved = (tool: string, ms = 0) => event("permission_resolved", { tool_name: tool }, ms);
/** What every call writes, up to where it runs. */
export const allowed = (tool: string, ms = 0) => [
  phase("tool_execution", ms),
  started(tool, ms),
  phase("permission_prompt", ms),
  requested(tool, ms),
  resolved(tool, ms + 2),
  phase("tool_execution", ms + 2),
];
export const atModel = (ms = 0) => [
  turnStarted(ms),
  event("loop_started", {}, ms),
  phase("waiting_for_model", ms),
];

export function folded(lines: readonly string[], before: Turn = NO_TURN): Turn {
  return lines.reduce((turn, line) => {
    const next = foldEventLine(turn, line);
    if (next === "malformed") throw new Error(`not an event: ${line}`);
    return next;
  }, before);
}

export function files(lines: readonly string[], more: Partial<GrokFiles> = {}): GrokFiles {
  return {
    dir: "/sessions/one",
    guessed: false,
    processStartedAtMs: STARTED_AT_MS - 5_000,
    found: true,
    turn: folded(lines),
    updates: NO_UPDATES,
    summary: null,
    contextTokens: null,
    todos: null,
    subagents: NO_SUBAGENTS,
    malformedRecords: 0,
    ...more,
  };
}

/** @param ms after the start */
export function live(ms: number, more: Partial<LiveSignals> = {}): LiveSignals {
  return { inBand: [], title: null, screen: null, nowMs: STARTED_AT_MS + ms, ...more };
}
