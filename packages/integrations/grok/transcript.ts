// A session's conversation in the common shape: from `chat_history.jsonl`, which the model is shown, with the times that only
// `updates.jsonl` has. Observed on 1.0.41.
import { basename, join } from "node:path";
import {
  type Json,
  nonBlank,
  numberOf,
  objectOf,
  objectsOf,
  parseObject,
  stringOf,
} from "@kolu/anyagent/lenient.ts";
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript, TranscriptEdit, TranscriptItem } from "@kolu/contract/transcript.ts";
import { readIfThere } from "./places.ts";
import { parseSummary } from "./records.ts";

/** @throws when a file is there and cannot be read */
export async function readGrokTranscript({
  sessionId,
  sessionPath,
}: ConversationReference): Promise<Transcript | null> {
  if (sessionPath === null) return null;
  const history = readIfThere(join(sessionPath, "chat_history.jsonl"));
  if (history === null) return null;
  const read = (name: string) => readIfThere(join(sessionPath, name));
  return transcriptOf({
    sessionId: sessionId || basename(sessionPath),
    history,
    updates: read("updates.jsonl") ?? "",
    summary: read("summary.json"),
    usage: read("usage.json"),
  });
}

export interface ConversationTexts {
  sessionId: string;
  history: string;
  updates: string;
  summary: string | null;
  usage: string | null;
}

/** Pure. */
export function transcriptOf(texts: ConversationTexts): Transcript {
  const summary = texts.summary === null ? null : parseSummary(texts.summary);
  const times = timesIn(texts.updates);
  const { items, skippedRecords } = itemsOf(texts.history, times);
  return {
    agent: "grok",
    sessionId: texts.sessionId,
    title: summary?.title ?? null,
    cwd: summary?.cwd ?? null,
    model: summary?.model ?? null,
    version: null,
    startedAtMs: summary?.createdAtMs ?? null,
    items,
    usage: usageOf(texts.usage),
    skippedRecords,
  };
}

// ---- times

interface Times {
  /** Of prompts, by their index; a prompt that was taken back gives its index to the next. */
  prompts: ReadonlyMap<number, number>;
  /** Of tool calls, by their id. */
  calls: ReadonlyMap<string, number>;
  failedCalls: ReadonlySet<string>;
  /** Of turns, by the index of their prompt. */
  failures: ReadonlyMap<number, TranscriptItem>;
}

function timesIn(updates: string): Times {
  const prompts = new Map<number, number>();
  const calls = new Map<string, number>();
  const failedCalls = new Set<string>();
  const failures = new Map<number, TranscriptItem>();
  let prompt = 0;
  for (const line of updates.split("\n")) {
    const params = objectOf(parseObject(line)?.params);
    const update = objectOf(params?.update);
    const atMs = numberOf(objectOf(params?._meta)?.agentTimestampMs);
    if (update === null || atMs === null) continue;
    const index = numberOf(objectOf(update._meta)?.promptIndex);
    const callId = stringOf(update.toolCallId);
    if (update.sessionUpdate === "user_message_chunk" && index !== null) {
      prompts.set(index, atMs);
      prompt = index;
    }
    if (update.sessionUpdate === "tool_call" && callId !== null) calls.set(callId, atMs);
    if (update.status === "failed" && callId !== null) failedCalls.add(callId);
    if (update.sessionUpdate === "turn_completed" && update.stop_reason === "error") {
      failures.set(prompt, { kind: "note", atMs, text: nonBlank(update.agent_result) ?? "the turn failed" });
    }
  }
  return { prompts, calls, failedCalls, failures };
}

// ---- items

interface Items {
  items: TranscriptItem[];
  skippedRecords: number;
}

function itemsOf(history: string, times: Times): Items {
  const items: TranscriptItem[] = [];
  const calls = new Map<string, TranscriptItem & { kind: "tool" }>();
  let skippedRecords = 0;
  let prompt: number | null = null;
  const endTurn = () => {
    const failure = prompt === null ? undefined : times.failures.get(prompt);
    if (failure !== undefined) items.push(failure);
    prompt = null;
  };
  for (const line of history.split("\n")) {
    if (line.trim() === "") continue;
    const entry = parseObject(line);
    if (entry === null) {
      skippedRecords += 1;
      continue;
    }
    switch (entry.type) {
      case "user": {
        const said = userItems(entry, times);
        if (said.length > 0) {
          endTurn();
          prompt = numberOf(entry.prompt_index);
        }
        if (said.length > 0 && stringOf(entry.prior_turn_interrupt) !== null) items.push(INTERRUPTION);
        items.push(...said);
        break;
      }
      case "assistant": {
        const said = assistantItems(entry, times);
        for (const item of said)
          if (item.kind === "tool" && item.callId !== null) calls.set(item.callId, item);
        items.push(...said);
        break;
      }
      case "reasoning":
        items.push(...reasoningItems(entry));
        break;
      case "tool_result":
        answer(calls.get(stringOf(entry.tool_call_id) ?? ""), entry, times.failedCalls);
        break;
      default:
        // The system prompt, and what later releases may add.
        break;
    }
  }
  endTurn();
  return { items, skippedRecords };
}

/** Said by the prompt after it. */
const INTERRUPTION: TranscriptItem = { kind: "note", atMs: null, text: "interrupted by the user" };

const QUERY = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/;

/** Only what a person wrote: the harness adds rules and reminders as entries of its own, without the wrapping. */
function userItems(entry: Json, times: Times): TranscriptItem[] {
  const index = numberOf(entry.prompt_index);
  const text = textOf(entry.content);
  const query = text.match(QUERY)?.[1] ?? (index === null ? null : text);
  if (query === null || entry.synthetic_reason !== undefined) return [];
  return [{ kind: "user", atMs: index === null ? null : (times.prompts.get(index) ?? null), text: query }];
}

/** An entry of its own, before the answer that it leads to. */
function reasoningItems(entry: Json): TranscriptItem[] {
  const text = textOf(entry.summary).trim();
  return text === "" ? [] : [{ kind: "reasoning", atMs: null, text }];
}

function assistantItems(entry: Json, times: Times): TranscriptItem[] {
  const text = textOf(entry.content).trim();
  const calls = objectsOf(entry.tool_calls).map((call): TranscriptItem => {
    const callId = stringOf(call.id);
    const args = stringOf(call.arguments) ?? "";
    return {
      kind: "tool",
      atMs: callId === null ? null : (times.calls.get(callId) ?? null),
      callId,
      name: stringOf(call.name) ?? "a tool",
      input: inputOf(args),
      output: null,
      failed: false,
      edits: editsOf(stringOf(call.name), parseObject(args)),
    };
  });
  const model = stringOf(entry.model_id);
  return [...(text === "" ? [] : [{ kind: "assistant" as const, atMs: null, text, model }]), ...calls];
}

function answer(
  call: (TranscriptItem & { kind: "tool" }) | undefined,
  entry: Json,
  failedCalls: ReadonlySet<string>,
): void {
  if (call?.callId == null) return;
  call.output = textOf(entry.content);
  // A command's result begins with its exit status.
  call.failed = failedCalls.has(call.callId) || /^exit: [1-9]/.test(call.output);
}

function inputOf(args: string): string {
  const input = parseObject(args);
  if (input === null) return args;
  return stringOf(input.command) ?? JSON.stringify(input, null, 2);
}

function editsOf(tool: string | null, input: Json | null): TranscriptEdit[] {
  const path = stringOf(input?.file_path);
  if (input === null || path === null) return [];
  if (tool === "write") return [{ path, before: null, after: stringOf(input.content) ?? "" }];
  if (tool !== "search_replace") return [];
  return [{ path, before: stringOf(input.old_string), after: stringOf(input.new_string) ?? "" }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((block) => stringOf(block.text) ?? "")
    .join("\n");
}

function usageOf(text: string | null): Transcript["usage"] {
  const session = objectOf(parseObject(text ?? "")?.session);
  const count = (value: unknown) => {
    const number = numberOf(value);
    return number === null ? null : Math.round(number);
  };
  return {
    input: count(session?.inputTokens),
    output: count(session?.outputTokens),
    cacheRead: count(session?.cachedReadTokens),
    cacheWrite: count(session?.cacheCreationTokens),
  };
}
