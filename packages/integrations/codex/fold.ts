// A rollout file, folded: what the thread is at, as far as the file tells. Pure; the same object means "no news".

import { nonBlank } from "@kolu/anyagent/lenient.ts";
import { linesBackward } from "@kolu/anyagent/tail.ts";
import {
  agentsEndedBy,
  callOf,
  contextTokensOf,
  endedAgentOf,
  lifecycleOf,
  outputOf,
  parseRecord,
  type RolloutRecord,
  spawnedAgentOf,
  type ToolCall,
} from "./records.ts";

export interface OpenCall extends ToolCall {
  atMs: number | null;
}

export interface LiveAgent {
  threadId: string;
  name: string | null;
  spawnedAtMs: number | null;
}

export interface Thread {
  /** none: nothing was said about a turn. open: one runs. over: it ended, however. */
  turn: "none" | "open" | "over";
  /** When the turn took this state. */
  turnAtMs: number | null;
  /** Calls without an output; several run side by side. */
  openCalls: readonly OpenCall[];
  /** The turn ended because of this. */
  error: string | null;
  /** The turn's last word was a plan to be approved. */
  plan: boolean;
  /** Sub-agents that were spawned and not reported as ended. */
  agents: readonly LiveAgent[];
  model: string | null;
  contextTokens: number | null;
  /** The newest record that says something about the state, in words for the explanation. */
  newest: string | null;
  newestAtMs: number | null;
  /** Outputs whose call was not seen: it lies above the part of a long file that was read. */
  unmatchedOutputs: readonly string[];
}

export const NO_THREAD: Thread = {
  turn: "none",
  turnAtMs: null,
  openCalls: [],
  error: null,
  plan: false,
  agents: [],
  model: null,
  contextTokens: null,
  newest: null,
  newestAtMs: null,
  unmatchedOutputs: [],
};

export function foldLine(before: Thread, line: string): Thread | "malformed" {
  const record = parseRecord(line);
  return record === null ? "malformed" : fold(before, record);
}

export function fold(before: Thread, record: RolloutRecord): Thread {
  const lifecycle = lifecycleOf(record);
  if (lifecycle !== null) return turned(before, record, lifecycle);
  const call = callOf(record);
  if (call !== null) {
    const openCalls = [...before.openCalls, { ...call, atMs: record.atMs }];
    return said({ ...before, openCalls }, record, `call of ${call.name}`);
  }
  const output = outputOf(record);
  if (output !== null) return answered(before, record, output.callId, output.text);
  return withFacts(before, record);
}

function turned(
  before: Thread,
  record: RolloutRecord,
  lifecycle: NonNullable<ReturnType<typeof lifecycleOf>>,
): Thread {
  const base = { ...before, openCalls: [], unmatchedOutputs: [], turnAtMs: record.atMs };
  switch (lifecycle.kind) {
    case "started":
      return said({ ...base, turn: "open", error: null, plan: false }, record, "turn started");
    case "completed": {
      const words = lifecycle.error === null ? "turn complete" : "turn ended by an error";
      return said({ ...base, turn: "over", error: lifecycle.error }, record, words);
    }
    case "aborted": {
      const words = `turn aborted${lifecycle.reason === null ? "" : ` (${lifecycle.reason})`}`;
      return said({ ...base, turn: "over", error: null, plan: false }, record, words);
    }
    default:
      return lifecycle satisfies never;
  }
}

function answered(before: Thread, record: RolloutRecord, callId: string, text: string): Thread {
  const call = before.openCalls.find((one) => one.callId === callId);
  if (call === undefined) return { ...before, unmatchedOutputs: [...before.unmatchedOutputs, callId] };
  const openCalls = before.openCalls.filter((one) => one !== call);
  return said(
    { ...before, openCalls, agents: agentsAfter(before, record, call, text) },
    record,
    `output of ${call.name}`,
  );
}

function agentsAfter(before: Thread, record: RolloutRecord, call: ToolCall, text: string): Thread["agents"] {
  const spawned = call.name === "spawn_agent" ? spawnedAgentOf(text) : null;
  if (spawned !== null) return [...before.agents, { ...spawned, spawnedAtMs: record.atMs }];
  const ended = agentsEndedBy(call, text);
  return ended.length === 0 ? before.agents : before.agents.filter((one) => !ended.includes(one.threadId));
}

function said(next: Thread, record: RolloutRecord, words: string): Thread {
  return { ...next, newest: words, newestAtMs: record.atMs };
}

/** Records that are not about the turn's state. */
function withFacts(before: Thread, record: RolloutRecord): Thread {
  const contextTokens = contextTokensOf(record);
  if (contextTokens !== null)
    return contextTokens === before.contextTokens ? before : { ...before, contextTokens };
  const model = record.type === "turn_context" ? nonBlank(record.payload.model) : null;
  if (model !== null) return model === before.model ? before : { ...before, model };
  const item = record.payload.item as { type?: unknown } | null | undefined;
  if (record.payload.type === "item_completed" && item?.type === "Plan") return { ...before, plan: true };
  const ended = before.agents.length === 0 ? null : endedAgentOf(record);
  if (ended === null) return before;
  return { ...before, agents: before.agents.filter((one) => one.threadId !== ended) };
}

// ---- the part of a long file above the one that was read

/** How far up the beginning of a turn is looked for. A turn that wrote more than this is taken for one that runs. */
const BACKFILL_MAX_BYTES = 16 * 1024 * 1024;

/** Completes what was folded from the end of a file: which turn that was in, which of its calls are open. */
export async function backfill(state: Thread, path: string, startOffset: number): Promise<Thread> {
  const whole = state.turn !== "none" && state.contextTokens !== null && state.model !== null;
  if (whole) return state;
  const older: string[] = [];
  for await (const line of linesBackward(path, startOffset, BACKFILL_MAX_BYTES)) {
    const text = line.toString("utf8");
    older.push(text);
    const record = parseRecord(text);
    if (record !== null && lifecycleOf(record)?.kind === "started") break;
  }
  const above = older.reverse().reduce<Thread>((at, line) => {
    const next = foldLine(at, line);
    return next === "malformed" ? at : next;
  }, NO_THREAD);
  return joined(above, state);
}

/** `below` was folded without knowing what is above it. */
export function joined(above: Thread, below: Thread): Thread {
  const facts = {
    model: below.model ?? above.model,
    contextTokens: below.contextTokens ?? above.contextTokens,
  };
  if (below.turn !== "none") return { ...below, ...facts };
  const answeredBelow = new Set(below.unmatchedOutputs);
  return {
    ...below,
    ...facts,
    turn: above.turn === "none" ? "open" : above.turn,
    turnAtMs: above.turnAtMs,
    error: above.error,
    plan: below.plan || above.plan,
    openCalls: [...above.openCalls.filter((one) => !answeredBelow.has(one.callId)), ...below.openCalls],
    agents: [...above.agents, ...below.agents],
    newest: below.newest ?? above.newest,
    newestAtMs: below.newestAtMs ?? above.newestAtMs,
    unmatchedOutputs: [],
  };
}
