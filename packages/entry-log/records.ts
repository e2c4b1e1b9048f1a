// The log of a session as Pi began to write it and its relatives still do: a JSON object a line, first the session's header,
// then entries with an id and the id of their parent. Only what moves a state or names a fact is told apart here; the rest
// of an entry is the transcript's business. Pure. Seen in Pi 0.73.1 and 1.6.0 and in Oh My Pi 18.2.3.
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

export interface ToolCall {
  id: string;
  name: string;
}

interface AssistantEntry {
  kind: "assistant";
  atMs: number | null;
  /** stop, length, toolUse, error, aborted; also deferred, which goes on by itself. */
  stopReason: string | null;
  calls: ToolCall[];
  error: string | null;
  model: string | null;
  contextTokens: number | null;
}

export type Entry =
  | { kind: "header"; sessionId: string | null; startedAtMs: number | null; cwd: string | null }
  | { kind: "prompt"; atMs: number | null }
  | AssistantEntry
  | { kind: "tool-result"; atMs: number | null; callId: string | null; tool: string | null }
  | { kind: "model"; provider: string | null; model: string }
  | { kind: "name"; name: string | null }
  | { kind: "compaction" };

/** "no-news" is a whole entry that moves nothing; "malformed" is none. */
export function parseEntryLine(line: string): Entry | "no-news" | "malformed" {
  const entry = parseObject(line);
  return entry === null ? "malformed" : readEntry(entry);
}

export function readEntry(entry: Json): Entry | "no-news" | "malformed" {
  switch (entry.type) {
    case "session":
      return {
        kind: "header",
        sessionId: stringOf(entry.id),
        startedAtMs: timeOf(entry.timestamp),
        cwd: stringOf(entry.cwd),
      };
    case "message":
      return readMessage(entry);
    case "model_change":
      return readModelChange(entry);
    case "session_info":
      return { kind: "name", name: nonBlank(entry.name) };
    case "compaction":
      return { kind: "compaction" };
    default:
      return typeof entry.type === "string" ? "no-news" : "malformed";
  }
}

function readMessage(entry: Json): Entry | "no-news" | "malformed" {
  const message = objectOf(entry.message);
  if (message === null) return "malformed";
  const atMs = timeOf(entry.timestamp) ?? numberOf(message.timestamp);
  switch (message.role) {
    case "user":
      return { kind: "prompt", atMs };
    case "assistant":
      return readAssistant(message, atMs);
    case "toolResult":
      return {
        kind: "tool-result",
        atMs,
        callId: stringOf(message.toolCallId),
        tool: stringOf(message.toolName),
      };
    default:
      // system (the prompt's sections), bashExecution (the user's own `!command`) and whatever a later release adds.
      return typeof message.role === "string" ? "no-news" : "malformed";
  }
}

function readAssistant(message: Json, atMs: number | null): AssistantEntry {
  const calls = objectsOf(message.content)
    .filter((block) => block.type === "toolCall")
    .map((block) => ({ id: stringOf(block.id) ?? "", name: stringOf(block.name) ?? "a tool" }));
  const stopReason = stringOf(message.stopReason);
  const failure = nonBlank(message.errorMessage) ?? "the request failed";
  return {
    kind: "assistant",
    atMs,
    stopReason,
    calls,
    error: stopReason === "error" ? failure : null,
    model: nonBlank(message.model),
    contextTokens: contextTokensOf(objectOf(message.usage)),
  };
}

/** What the model saw: the three input buckets are disjoint. Aborted and failed answers carry zeros, which count nothing. */
function contextTokensOf(usage: Json | null): number | null {
  if (usage === null) return null;
  const buckets = [usage.input, usage.cacheRead, usage.cacheWrite].map((bucket) => numberOf(bucket) ?? 0);
  const tokens = Math.round(buckets.reduce((sum, bucket) => sum + bucket, 0));
  return tokens > 0 ? tokens : null;
}

/** Pi writes provider and modelId, Oh My Pi one word `provider/model`. */
function readModelChange(entry: Json): Entry | "no-news" {
  const modelId = nonBlank(entry.modelId);
  if (modelId !== null) return { kind: "model", provider: nonBlank(entry.provider), model: modelId };
  const joined = nonBlank(entry.model);
  if (joined === null) return "no-news";
  const slash = joined.indexOf("/");
  return slash < 1
    ? { kind: "model", provider: null, model: joined }
    : { kind: "model", provider: joined.slice(0, slash), model: joined.slice(slash + 1) };
}
