// A rollout file as a conversation: read once, whole. Sub-agents have rollouts of their own; here they are the calls that made
// them.
import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import { nonBlank, numberOf, objectOf, parseObject, stringOf } from "@kolu/anyagent/lenient.ts";
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript, TranscriptItem, TranscriptUsage } from "@kolu/contract/transcript.ts";
import { editsOfPatch } from "./patch.ts";
import { type Environment, placesOf } from "./places.ts";
import {
  aboutOf,
  callOf,
  lifecycleOf,
  outputOf,
  parseRecord,
  type RolloutRecord,
  type ToolCall,
  textOf,
} from "./records.ts";
import { createStore } from "./store.ts";

/** Null when there is no rollout. Rejects when it cannot be read. */
export async function readCodexTranscript(
  { sessionId, sessionPath }: ConversationReference,
  env: Environment,
): Promise<Transcript | null> {
  const found = rowOf(sessionId, env);
  const path = sessionPath ?? found?.rolloutPath ?? null;
  if (path === null || !(await isThere(path))) return null;
  const builder = createTranscript();
  const lines = createInterface({
    input: createReadStream(path, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) builder.add(line);
  return builder.result({ sessionId, title: found?.title ?? null });
}

function rowOf(sessionId: string, env: Environment) {
  const { databasePath } = placesOf(env, env);
  if (databasePath === null) return null;
  const read = createStore().threads(databasePath, { cwds: [], ids: [sessionId] });
  return read.kind === "read" ? (read.rows[0] ?? null) : null;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;

export interface TranscriptBuilder {
  add(line: string): void;
  result(known: { sessionId: string; title: string | null }): Transcript;
}

/** Pure but for its own state: lines in, a conversation out. */
export function createTranscript(): TranscriptBuilder {
  const items: TranscriptItem[] = [];
  const open = new Map<string, ToolItem>();
  const head = {
    cwd: null as string | null,
    version: null as string | null,
    startedAtMs: null as number | null,
    model: null as string | null,
    usage: NO_USAGE,
  };
  let skippedRecords = 0;

  const take = (record: RolloutRecord): void => {
    const { type, payload, atMs } = record;
    if (type === "session_meta") {
      head.cwd ??= nonBlank(payload.cwd);
      head.version ??= nonBlank(payload.cli_version);
      const startedAtMs = Date.parse(stringOf(payload.timestamp) ?? "");
      head.startedAtMs ??= Number.isNaN(startedAtMs) ? atMs : startedAtMs;
    }
    if (type === "turn_context") head.model = nonBlank(payload.model) ?? head.model;
    head.usage = usageOf(record) ?? head.usage;
    const call = callOf(record);
    if (call !== null) {
      const item = toolItem(call, atMs);
      open.set(call.callId, item);
      items.push(item);
      return;
    }
    const output = outputOf(record);
    const answered = output === null ? undefined : open.get(output.callId);
    if (output !== null && answered !== undefined) {
      answered.output = output.text;
      answered.failed = hasFailed(output.text);
      open.delete(output.callId);
      return;
    }
    const item = saidItem(record, head.model) ?? noteItem(record);
    if (item !== null) items.push(item);
  };

  return {
    add: (line) => {
      if (line.trim() === "") return;
      const record = parseRecord(line);
      if (record === null) skippedRecords += 1;
      else take(record);
    },
    result: ({ sessionId, title }) => ({ agent: "codex", sessionId, title, ...head, items, skippedRecords }),
  };
}

// ---- what was said

function saidItem({ type, payload, atMs }: RolloutRecord, model: string | null): TranscriptItem | null {
  if (type !== "response_item") return null;
  const text = textOf(payload.content).trim();
  switch (payload.type) {
    case "message":
      if (text === "") return null;
      if (payload.role === "assistant") return { kind: "assistant", atMs, text, model };
      return payload.role === "user" && isOfPerson(payload, text) ? { kind: "user", atMs, text } : null;
    case "reasoning": {
      const summary = textOf(payload.summary).trim() || text;
      return summary === "" ? null : { kind: "reasoning", atMs, text: summary };
    }
    default:
      return null;
  }
}

/** Codex puts words of its own into the user's mouth. Recent releases say whose each part is; before that, its own begin with a
 * tag or a heading. */
function isOfPerson(payload: RolloutRecord["payload"], text: string): boolean {
  const kinds = objectOf(payload.internal_chat_message_metadata_passthrough)?.content_item_kinds;
  if (Array.isArray(kinds) && kinds.length > 0) {
    return kinds.some((kind) => typeof kind === "string" && kind.startsWith("user."));
  }
  return !/^(?:<(?:environment_context|user_instructions|turn_aborted|subagent_notification|skill)|# AGENTS\.md instructions)/.test(
    text,
  );
}

function noteItem(record: RolloutRecord): TranscriptItem | null {
  const { atMs } = record;
  if (record.type === "compacted") return { kind: "note", atMs, text: "The conversation was compacted." };
  const lifecycle = lifecycleOf(record);
  if (lifecycle?.kind === "aborted") return { kind: "note", atMs, text: "Interrupted." };
  if (lifecycle?.kind === "completed" && lifecycle.error !== null) {
    return { kind: "note", atMs, text: `The turn ended by an error: ${lifecycle.error}` };
  }
  return null;
}

// ---- what was done

function toolItem(call: ToolCall, atMs: number | null): ToolItem {
  const patch = patchOf(call);
  return {
    kind: "tool",
    atMs,
    callId: call.callId,
    name: call.name,
    input: patch ?? inputOf(call),
    output: null,
    failed: false,
    edits: patch === null ? [] : editsOfPatch(patch),
  };
}

/** Given as free text, as an argument, or (older releases) as a shell command with a here-document. */
function patchOf({ name, input }: ToolCall): string | null {
  const given = parseObject(input);
  const texts = [name === "apply_patch" ? input : null, ...[given?.input, given?.patch, given?.cmd]];
  if (Array.isArray(given?.command)) texts.push(given.command.at(-1));
  const text = texts.find((one) => typeof one === "string" && one.includes("*** Begin Patch\n"));
  return typeof text === "string" ? text.slice(text.indexOf("*** Begin Patch")) : null;
}

const SHELLS = ["exec_command", "shell", "shell_command", "local_shell"];

/** A shell command as it is, anything else as indented JSON. */
function inputOf(call: ToolCall): string {
  if (SHELLS.includes(call.name)) return aboutOf(call) ?? call.input;
  const given = parseObject(call.input);
  return given === null ? call.input : JSON.stringify(given, null, 2);
}

/** An output's first lines say how a command ended; a call that was not allowed says so. */
function hasFailed(output: string): boolean {
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(output.slice(0, 400))?.[1];
  if (code !== undefined) return code !== "0";
  const exit = numberOf(objectOf(parseObject(output)?.metadata)?.exit_code);
  if (exit !== null) return exit !== 0;
  return /aborted by user|rejected by user|reject command/i.test(output.slice(0, 400));
}

// ---- what it took

const NO_USAGE: TranscriptUsage = { input: null, output: null, cacheRead: null, cacheWrite: null };

/** Codex counts what was read from the cache within the input. */
function usageOf({ type, payload }: RolloutRecord): TranscriptUsage | null {
  if (type !== "event_msg" || payload.type !== "token_count") return null;
  const total = objectOf(objectOf(payload.info)?.total_token_usage);
  const input = numberOf(total?.input_tokens);
  if (total === null || input === null) return null;
  const cacheRead = numberOf(total.cached_input_tokens);
  return {
    input: Math.max(0, input - (cacheRead ?? 0)),
    output: numberOf(total.output_tokens),
    cacheRead,
    cacheWrite: numberOf(total.cache_write_input_tokens),
  };
}
