// Codex's own records, read leniently: the lines of a rollout file, the rows of its thread database. Pure. Shapes observed on
// 0.171.0; the second spellings of the lifecycle records are those of its own reader.
import {
  type Json,
  nonBlank,
  numberOf,
  objectOf,
  objectsOf,
  parseObject,
  stringOf,
  timeOf,
} from "@kolu/anyagent/lenient.ts";
import { THREAD_ID } from "./vocab.ts";

/** One line of a rollout: `{timestamp, ordinal, type, payload}`. */
export interface RolloutRecord {
  atMs: number | null;
  type: string;
  /** Empty for the few types whose payload is no object. */
  payload: Json;
}

/** Null for a line that is no record. */
export function parseRecord(line: string): RolloutRecord | null {
  const record = parseObject(line);
  const type = stringOf(record?.type);
  if (record === null || type === null) return null;
  return { atMs: timeOf(record.timestamp), type, payload: objectOf(record.payload) ?? {} };
}

export type Lifecycle =
  | { kind: "started" }
  | { kind: "completed"; error: string | null }
  | { kind: "aborted"; reason: string | null };

/** A turn begins with `task_started` and ends with `task_complete` (also after an error) or `turn_aborted` (Esc). */
export function lifecycleOf({ type, payload }: RolloutRecord): Lifecycle | null {
  if (type !== "event_msg") return null;
  switch (payload.type) {
    case "task_started":
    case "turn_started":
      return { kind: "started" };
    case "task_complete":
    case "turn_complete":
      return { kind: "completed", error: errorOf(payload.error) };
    case "turn_aborted":
      return { kind: "aborted", reason: stringOf(payload.reason) };
    default:
      return null;
  }
}

/** `error: {message, codex_error_info}`; the message may itself be the API's JSON. */
export function errorOf(value: unknown): string | null {
  const message = nonBlank(value) ?? nonBlank(objectOf(value)?.message);
  if (message === null) return objectOf(value) === null ? null : "the turn failed";
  return nonBlank(objectOf(parseObject(message)?.error)?.message) ?? message;
}

export interface ToolCall {
  callId: string;
  name: string;
  /** Its arguments as they were written: JSON, or free text for a custom tool. */
  input: string;
}

/** Calls differ in where their input stands. A web search is no call: it has no output of its own. */
export function callOf({ type, payload }: RolloutRecord): ToolCall | null {
  if (type !== "response_item") return null;
  const callId = stringOf(payload.call_id);
  if (callId === null) return null;
  switch (payload.type) {
    case "function_call":
      return { callId, name: stringOf(payload.name) ?? "tool", input: stringOf(payload.arguments) ?? "" };
    case "custom_tool_call":
      return { callId, name: stringOf(payload.name) ?? "tool", input: stringOf(payload.input) ?? "" };
    case "local_shell_call":
      return { callId, name: "local_shell", input: JSON.stringify(payload.action ?? {}) };
    default:
      return null;
  }
}

export interface ToolOutput {
  callId: string;
  text: string;
}

const OUTPUT_TYPES = ["function_call_output", "custom_tool_call_output", "local_shell_call_output"];

/** A call is open until a record with its id and an output follows; `status` says "completed" from the start. */
export function outputOf({ type, payload }: RolloutRecord): ToolOutput | null {
  const callId = stringOf(payload.call_id);
  if (type !== "response_item" || callId === null || !OUTPUT_TYPES.includes(String(payload.type)))
    return null;
  return { callId, text: textOf(payload.output) };
}

/** A text, a list of content parts, or an object that holds either. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = objectsOf(value);
  if (parts.length > 0) return parts.map((part) => stringOf(part.text) ?? "").join("");
  const held = objectOf(value);
  return held === null ? "" : textOf(held.content ?? held.output);
}

/** What a call is about, in a few words for a person: the command that it runs, the question that it asks. */
export function aboutOf({ name, input }: ToolCall): string | null {
  const given = parseObject(input);
  if (given === null) return null;
  const command = given.cmd ?? given.command ?? objectOf(given.action)?.command;
  if (Array.isArray(command)) return nonBlank(command.filter((word) => typeof word === "string").join(" "));
  if (name === "request_user_input") return nonBlank(objectsOf(given.questions)[0]?.question);
  return nonBlank(command) ?? nonBlank(given.justification) ?? nonBlank(given.reason);
}

/** What the newest request to the model took: the number that Codex's own /status shows. Zero is no news. */
export function contextTokensOf({ type, payload }: RolloutRecord): number | null {
  if (type !== "event_msg" || payload.type !== "token_count") return null;
  return numberOf(objectOf(objectOf(payload.info)?.last_token_usage)?.input_tokens) || null;
}

export interface SpawnedAgent {
  threadId: string;
  /** A nickname such as "Hilbert". */
  name: string | null;
}

/** The answer to `spawn_agent`. */
export function spawnedAgentOf(output: string): SpawnedAgent | null {
  const given = parseObject(output);
  const threadId = stringOf(given?.agent_id);
  return threadId === null ? null : { threadId, name: nonBlank(given?.nickname) };
}

const NOTICE = /<subagent_notification>\s*(\{.*\})\s*(?:<\/subagent_notification>|$)/s;

/** The message that is put into the parent's conversation when a sub-agent ends: no turn comes of it. */
export function endedAgentOf({ type, payload }: RolloutRecord): string | null {
  if (type !== "response_item" || payload.type !== "message" || payload.role !== "user") return null;
  const notice = parseObject(NOTICE.exec(textOf(payload.content))?.[1] ?? "");
  const word = stringOf(notice?.status);
  if (word === "pending_init" || word === "running") return null;
  return stringOf(notice?.agent_path) ?? stringOf(notice?.agent_id);
}

/** Agents whose end an answer tells: `close_agent` of its target, `wait_agent` of everyone in its `status`. */
export function agentsEndedBy(call: ToolCall, output: string): string[] {
  if (call.name === "close_agent") {
    const target = stringOf(parseObject(call.input)?.target) ?? stringOf(parseObject(call.input)?.id);
    return target === null ? [] : [target];
  }
  if (call.name !== "wait_agent" && call.name !== "wait") return [];
  const status = objectOf(parseObject(output)?.status) ?? {};
  return Object.keys(status).filter((id) => status[id] !== "running" && status[id] !== "pending_init");
}

// ---- the thread database

/** A row of `threads`. */
export interface ThreadRow {
  threadId: string;
  rolloutPath: string;
  cwd: string;
  /** The generated or given name, else the first prompt. */
  title: string | null;
  model: string | null;
  version: string | null;
  createdAtMs: number | null;
  updatedAtMs: number | null;
  prompted: boolean;
  /** False for what a terminal does not show as its conversation: archived threads, those of `codex exec`, sub-agents (their
   * parent tells of them) and automatic reviews. */
  listed: boolean;
}

/** Columns without which a row says nothing. The others came and went between releases. */
export const NEEDED_COLUMNS = ["id", "rollout_path", "cwd", "archived"] as const;
export const USED_COLUMNS = [
  ...NEEDED_COLUMNS,
  "name",
  "title",
  "model",
  "cli_version",
  "first_user_message",
  "created_at",
  "created_at_ms",
  "updated_at",
  "updated_at_ms",
  "source",
  "thread_source",
] as const;

/** Null for a row without an id or a file. */
export function threadOf(row: Readonly<Record<string, unknown>>): ThreadRow | null {
  const threadId = stringOf(row.id);
  const rolloutPath = nonBlank(row.rollout_path);
  if (threadId === null || rolloutPath === null) return null;
  const source = stringOf(row.source) ?? "";
  // "cli" and "vscode" (through the shared server) are a terminal's; a sub-agent's is JSON that names its parent.
  const isOther = row.thread_source === "subagent" || /^\{?"?subagent|^(?:exec|mcp)$/i.test(source);
  const title = nonBlank(row.name) ?? nonBlank(row.title);
  return {
    threadId,
    rolloutPath,
    cwd: stringOf(row.cwd) ?? "",
    title,
    model: nonBlank(row.model),
    version: nonBlank(row.cli_version),
    createdAtMs: numberOf(row.created_at_ms) ?? secondsOf(row.created_at),
    updatedAtMs: numberOf(row.updated_at_ms) ?? secondsOf(row.updated_at),
    prompted: nonBlank(row.first_user_message) !== null || title !== null,
    listed: !isOther && !row.archived,
  };
}

function secondsOf(value: unknown): number | null {
  const seconds = numberOf(value);
  return seconds === null ? null : seconds * 1_000;
}

/** Thread ids are UUIDs of version 7: their first 48 bits are the epoch milliseconds at which they were made. */
export function madeAtMs(threadId: string): number | null {
  if (!THREAD_ID.test(threadId) || threadId[14] !== "7") return null;
  return Number.parseInt(threadId.slice(0, 8) + threadId.slice(9, 13), 16);
}

const ROLLOUT_NAME = /^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i;
const LOCK_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.lock$/i;

/** The thread that a file of this name belongs to. */
export function threadIdOfFile(name: string): string | null {
  return ROLLOUT_NAME.exec(name)?.[1] ?? LOCK_NAME.exec(name)?.[1] ?? null;
}
