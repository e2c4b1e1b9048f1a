// Claude Code's own files, parsed leniently: unknown fields pass, a missing one is null, what is no record of ours is null.
// Observed on 2.1.332 and 2.1.197 unless a comment says otherwise. Pure.
import {
  type Json,
  nonBlank,
  numberOf,
  objectOf,
  parseObject,
  stringOf,
  timeOf,
} from "@kolu/anyagent/lenient.ts";

/** `~/.claude/sessions/<pid>.json`, rewritten in place at every change of state. */
export interface StatusFile {
  pid: number;
  /** May change at any time: `/clear`, `/resume`, and within 50 ms of a start with `--continue`. */
  sessionId: string;
  cwd: string;
  startedAtMs: number | null;
  /** Field 22 of /proc/<pid>/stat: the guard against a reused pid. Null where the system has none (or a foreign form). */
  procStart: string | null;
  version: string | null;
  /** `busy`, `shell`, `idle`, `waiting`; absent for the first 150 ms of a process and in old releases. */
  status: string | null;
  waitingFor: string | null;
  statusUpdatedAtMs: number | null;
}

/** Null for a half-written file as well as for one that is none. */
export function parseStatusFile(text: string): StatusFile | null {
  const value = parseObject(text);
  const pid = numberOf(value?.pid);
  const sessionId = stringOf(value?.sessionId);
  const cwd = stringOf(value?.cwd);
  if (value === null || pid === null || sessionId === null || cwd === null) return null;
  return {
    pid,
    sessionId,
    cwd,
    startedAtMs: numberOf(value.startedAt),
    procStart: stringOf(value.procStart),
    version: stringOf(value.version),
    status: stringOf(value.status),
    waitingFor: stringOf(value.waitingFor),
    statusUpdatedAtMs: numberOf(value.statusUpdatedAt),
  };
}

export interface ToolCall {
  id: string;
  name: string;
  /** What it is about, in the call's own words: a command, a path, a question. */
  about: string | null;
}

/** Work that outlives the turn that started it. */
export type Launch = { taskId: string; atMs: number | null } & (
  | { kind: "workflow"; name: string; runId: string | null }
  | { kind: "agent"; name: string }
  | { kind: "shell" }
);

/** One line of a transcript, as far as it matters to a reading. */
export type TranscriptRecord = { atMs: number | null } & (
  | { kind: "prompt"; endedTaskId: string | null }
  | { kind: "tool-results"; callIds: string[]; launch: Launch | null; rejected: boolean }
  | { kind: "interrupted" }
  | {
      kind: "assistant";
      calls: ToolCall[];
      todos: { completed: number; total: number } | null;
      stopReason: string | null;
      /** Esc cut it short. */
      aborted: boolean;
      model: string | null;
      contextTokens: number | null;
    }
  /** What Claude Code writes in the assistant's place when the API refused for good. */
  | { kind: "api-error"; message: string }
  | { kind: "turn-end"; pendingWorkflows: number; pendingAgents: number }
  | { kind: "title"; by: "user" | "agent"; title: string }
  | { kind: "task-ended"; taskId: string }
);

export type ParsedLine = TranscriptRecord | "no-news" | "malformed";

export function parseTranscriptLine(line: string): ParsedLine {
  const entry = parseObject(line);
  if (entry === null) return "malformed";
  // Rows of a sub-agent that older releases kept in its parent's file.
  if (entry.isSidechain === true) return "no-news";
  const atMs = timeOf(entry.timestamp);
  switch (entry.type) {
    case "user":
      return userRecord(entry, atMs);
    case "assistant":
      return assistantRecord(entry, atMs);
    case "system":
      if (entry.subtype !== "turn_duration") return "no-news";
      return {
        kind: "turn-end",
        pendingWorkflows: numberOf(entry.pendingWorkflowCount) ?? 0,
        pendingAgents: numberOf(entry.pendingBackgroundAgentCount) ?? 0,
        atMs,
      };
    case "ai-title":
      return titleRecord("agent", entry.aiTitle, atMs);
    case "custom-title":
      return titleRecord("user", entry.customTitle, atMs);
    case "queue-operation": {
      const taskId = entry.operation === "enqueue" ? endedTaskIn(stringOf(entry.content)) : null;
      return taskId === null ? "no-news" : { kind: "task-ended", taskId, atMs };
    }
    default:
      return "no-news";
  }
}

/** Epoch milliseconds of any entry, null when it carries no time. */
export function timeOfLine(line: string): number | null {
  return timeOf(parseObject(line)?.timestamp);
}

/** `<sessionId>/custom-title.json`: the name that a person gave, also when it was carried over by `/clear`. */
export function parseTitleFile(text: string): string | null {
  return nonBlank(parseObject(text)?.customTitle);
}

/** `~/.claude/tasks/<sessionId>/<n>.json` (2.1.197; later releases offer no such tool in a default session). */
export function parseTaskStatus(text: string): string | null {
  return stringOf(parseObject(text)?.status);
}

/** One line of a workflow's `journal.jsonl`. */
export function parseJournalLine(line: string): { type: string; agentId: string | null } | null {
  const entry = parseObject(line);
  const type = stringOf(entry?.type);
  return type === null ? null : { type, agentId: stringOf(entry?.agentId) };
}

// ---- user entries: a prompt, results, or an echo of something that was no prompt

/** Echoes of local commands. 2.1.332 marks them with `rowSource`; 2.1.197 leaves only these beginnings. */
const ECHO =
  /^\s*<(command-name|command-message|command-args|local-command-|bash-input|bash-stdout|bash-stderr)/;
const INTERRUPTED = /^\[Request interrupted by user/;

function userRecord(entry: Json, atMs: number | null): ParsedLine {
  if (entry.isMeta === true || entry.isCompactSummary === true) return "no-news";
  const content = objectOf(entry.message)?.content;
  const blocks = Array.isArray(content) ? content.map(objectOf).filter((block) => block !== null) : [];
  const results = blocks.filter((block) => block.type === "tool_result");
  if (results.length > 0) return resultsRecord(entry, results, atMs);
  const text =
    typeof content === "string" ? content : blocks.map((block) => stringOf(block.text) ?? "").join("\n");
  if (INTERRUPTED.test(text)) return { kind: "interrupted", atMs };
  const origin = stringOf(objectOf(entry.origin)?.kind);
  const echoed = entry.rowSource === "local" || entry.rowSource === "harness" || ECHO.test(text);
  // `!command` is an echo by its form, yet its output goes to the model: a turn of its own.
  if (origin === null && echoed && !/^\s*<bash-input/.test(text)) return "no-news";
  return { kind: "prompt", endedTaskId: endedTaskIn(text), atMs };
}

function resultsRecord(entry: Json, results: Json[], atMs: number | null): ParsedLine {
  const callIds = results.map((block) => stringOf(block.tool_use_id)).filter((id) => id !== null);
  const rejected =
    entry.toolDenialKind === "user-rejected" ||
    results.some((block) => block.is_error === true && REJECTED.test(stringOf(block.content) ?? ""));
  return {
    kind: "tool-results",
    callIds,
    launch: launchOf(objectOf(entry.toolUseResult), atMs),
    rejected,
    atMs,
  };
}

const REJECTED = /^The user doesn't want to proceed with this tool use/;

function launchOf(result: Json | null, atMs: number | null): Launch | null {
  if (result === null) return null;
  const shellId = stringOf(result.backgroundTaskId);
  if (shellId !== null) return { kind: "shell", taskId: shellId, atMs };
  if (result.status !== "async_launched") return null;
  const agentId = stringOf(result.agentId);
  if (agentId !== null) {
    return { kind: "agent", taskId: agentId, name: nonBlank(result.description) ?? "agent", atMs };
  }
  const taskId = stringOf(result.taskId);
  if (taskId === null) return null;
  const name = nonBlank(result.workflowName) ?? nonBlank(result.summary) ?? "workflow";
  return { kind: "workflow", taskId, name, runId: stringOf(result.runId), atMs };
}

/** The task that a notification reports as ended; one that says it still runs only tells of progress. */
function endedTaskIn(text: string | null): string | null {
  if (text === null || !text.includes("<task-notification>")) return null;
  if (/<status>(running|pending|in_progress)<\/status>/.test(text)) return null;
  return text.match(/<task-id>([^<]+)<\/task-id>/)?.[1] ?? null;
}

// ---- assistant entries: one per content block, all of a message with its final stop reason

function assistantRecord(entry: Json, atMs: number | null): ParsedLine {
  const message = objectOf(entry.message);
  if (message === null) return "no-news";
  const content = Array.isArray(message.content) ? message.content.map(objectOf) : [];
  const model = stringOf(message.model);
  if (entry.isApiErrorMessage === true) {
    const text = content.map((block) => stringOf(block?.text) ?? "").join("\n");
    return { kind: "api-error", message: text.trim() || "the API refused the request", atMs };
  }
  // Other synthetic messages are Claude Code's own words: neither a model nor a token count.
  if (model === "<synthetic>") return "no-news";
  const uses = content.filter((block) => block?.type === "tool_use");
  return {
    kind: "assistant",
    calls: uses.map((block) => callOf(block!)).filter((call) => call !== null),
    todos: todosIn(uses),
    stopReason: stringOf(message.stop_reason),
    aborted: entry.isAbortedMidStream === true,
    model,
    contextTokens: contextTokensOf(objectOf(message.usage)),
    atMs,
  };
}

/** Everything that the model was shown. Zero (an aborted message) is no measurement. */
function contextTokensOf(usage: Json | null): number | null {
  if (usage === null) return null;
  const total =
    (numberOf(usage.input_tokens) ?? 0) +
    (numberOf(usage.cache_creation_input_tokens) ?? 0) +
    (numberOf(usage.cache_read_input_tokens) ?? 0);
  return total > 0 ? total : null;
}

function callOf(block: Json): ToolCall | null {
  const id = stringOf(block.id);
  const name = stringOf(block.name);
  return id === null || name === null ? null : { id, name, about: aboutOf(objectOf(block.input)) };
}

function aboutOf(input: Json | null): string | null {
  if (input === null) return null;
  const questions = Array.isArray(input.questions) ? input.questions.map(objectOf) : [];
  const question = nonBlank(questions[0]?.question);
  return question ?? nonBlank(input.command) ?? nonBlank(input.file_path) ?? nonBlank(input.description);
}

/** The list that TodoWrite replaces whole (releases and settings that offer that tool). */
function todosIn(uses: (Json | null)[]): { completed: number; total: number } | null {
  const last = uses.findLast((block) => block?.name === "TodoWrite");
  const todos = objectOf(last?.input)?.todos;
  if (!Array.isArray(todos)) return null;
  const completed = todos.filter((todo) => objectOf(todo)?.status === "completed").length;
  return { completed, total: todos.length };
}

function titleRecord(by: "user" | "agent", value: unknown, atMs: number | null): ParsedLine {
  const title = nonBlank(value);
  return title === null ? "no-news" : { kind: "title", by, title, atMs };
}
