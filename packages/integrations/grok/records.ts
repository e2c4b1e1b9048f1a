// What Grok Build writes, parsed leniently: events, the list of live sessions, and the small files beside a session's
// events. Shapes as observed on 1.0.41. Pure.
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

// ---- events.jsonl

export type GrokEvent = { atMs: number | null } & (
  | { kind: "turn-started"; model: string | null }
  /** A request to the model begins: every tool of the one before has ended, although a cancelled one does not say so. */
  | { kind: "loop-started" }
  | { kind: "phase"; phase: string }
  | { kind: "first-token" }
  | { kind: "tool-started"; tool: string }
  | { kind: "tool-completed"; tool: string }
  | { kind: "permission-requested"; tool: string }
  | { kind: "permission-resolved"; tool: string }
  /** completed, cancelled, error, interrupted (written when a killed session is resumed, not when it is killed). */
  | { kind: "turn-ended"; outcome: string; category: string | null }
);

/** "no-news": an event that says nothing about the turn, such as a toggled mode. */
export function parseEvent(line: string): GrokEvent | "no-news" | "malformed" {
  const json = parseObject(line);
  if (json === null) return "malformed";
  const atMs = timeOf(json.ts);
  const tool = stringOf(json.tool_name) ?? "a tool";
  switch (json.type) {
    case "turn_started":
      return { kind: "turn-started", model: nonBlank(json.model_id), atMs };
    case "loop_started":
      return { kind: "loop-started", atMs };
    case "phase_changed":
      return { kind: "phase", phase: stringOf(json.phase) ?? "an unnamed phase", atMs };
    case "first_token":
      return { kind: "first-token", atMs };
    case "tool_started":
      return { kind: "tool-started", tool, atMs };
    case "tool_completed":
      return { kind: "tool-completed", tool, atMs };
    case "permission_requested":
      return { kind: "permission-requested", tool, atMs };
    case "permission_resolved":
      return { kind: "permission-resolved", tool, atMs };
    case "turn_ended": {
      const outcome = stringOf(json.outcome) ?? "without an outcome";
      return { kind: "turn-ended", outcome, category: nonBlank(json.cancellation_category), atMs };
    }
    default:
      return stringOf(json.type) === null ? "malformed" : "no-news";
  }
}

// ---- active_sessions.json

export interface ActiveSession {
  sessionId: string;
  pid: number;
  cwd: string | null;
  /** When this process opened this session. */
  openedAtMs: number | null;
}

/** Null for text that is no list: half-written or foreign. Rows without a session and a pid are left out. */
export function parseActiveSessions(text: string): ActiveSession[] | null {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return null;
  return objectsOf(list).flatMap((row) => {
    const sessionId = nonBlank(row.session_id);
    const pid = numberOf(row.pid);
    if (sessionId === null || pid === null) return [];
    return [{ sessionId, pid, cwd: stringOf(row.cwd), openedAtMs: timeOf(row.opened_at) }];
  });
}

// ---- summary.json

export interface Summary {
  sessionId: string | null;
  cwd: string | null;
  /** Of a sub-agent, whose directory lies among those of real sessions. */
  isSubagent: boolean;
  /** The key of the configuration in a new session, later the name on the wire: either is the agent's own word. */
  model: string | null;
  title: string | null;
  createdAtMs: number | null;
  updatedAtMs: number | null;
}

export function parseSummary(text: string): Summary | null {
  const json = parseObject(text);
  if (json === null) return null;
  const info = objectOf(json.info);
  return {
    sessionId: nonBlank(info?.id),
    cwd: stringOf(info?.cwd),
    isSubagent: json.session_kind === "subagent",
    model: nonBlank(json.current_model_id),
    // An empty text occurs in either and is no title. `/rename` replaces the generated one.
    title: nonBlank(json.generated_title) ?? nonBlank(json.session_summary),
    createdAtMs: timeOf(json.created_at),
    updatedAtMs: timeOf(json.updated_at),
  };
}

// ---- signals.json, resources_state.json, subagents/<id>/meta.json

/** Grok's own estimate of what the model was shown, written at the end of a turn. Zero is no measurement. */
export function parseContextTokens(text: string): number | null {
  const tokens = numberOf(parseObject(text)?.contextTokensUsed);
  return tokens !== null && tokens > 0 ? Math.round(tokens) : null;
}

export interface Todos {
  completed: number;
  total: number;
}

/** The list that the tool `todo_write` keeps; null when there is none. What was given up counts neither way. */
export function parseTodos(text: string): Todos | null {
  const todos = objectOf(objectOf(objectOf(parseObject(text)?.state)?.["grok_build.Todo"])?.todos);
  if (todos === null) return null;
  const statuses = Object.values(todos)
    .map((todo) => stringOf(objectOf(todo)?.status))
    .filter((status) => status !== null && status !== "cancelled");
  if (statuses.length === 0) return null;
  return { completed: statuses.filter((status) => status === "completed").length, total: statuses.length };
}

export interface Subagent {
  id: string;
  name: string;
  running: boolean;
  startedAtMs: number | null;
  endedAtMs: number | null;
}

export function parseSubagent(text: string): Subagent | null {
  const json = parseObject(text);
  const id = nonBlank(json?.subagent_id);
  if (json === null || id === null) return null;
  return {
    id,
    name: nonBlank(json.description) ?? nonBlank(json.subagent_type) ?? "agent",
    running: json.status === "running",
    startedAtMs: timeOf(json.started_at),
    endedAtMs: timeOf(json.completed_at),
  };
}

// ---- updates.jsonl: only what the events do not tell

export type GrokUpdate =
  | { kind: "call"; id: string; about: string | null }
  | { kind: "call-ended"; id: string }
  | { kind: "turn-ended"; error: string | null }
  /** Every command and monitor in the background, whenever their list changes. */
  | { kind: "tasks"; running: readonly BackgroundTask[] }
  | { kind: "task-ended"; id: string };

export interface BackgroundTask {
  id: string;
  startedAtMs: number | null;
}

/** Names in the bytes without which a line is none of these: most lines are text of the conversation. */
export const UPDATE_MARKS = [
  '"sessionUpdate":"tool_call',
  '"sessionUpdate":"turn_completed"',
  '"sessionUpdate":"background_tasks"',
  '"sessionUpdate":"task_completed"',
];

export function parseUpdate(line: string): GrokUpdate | "no-news" | "malformed" {
  if (!UPDATE_MARKS.some((mark) => line.includes(mark)))
    return line.startsWith("{") ? "no-news" : "malformed";
  const update = objectOf(objectOf(parseObject(line)?.params)?.update);
  if (update === null) return "malformed";
  if (update.sessionUpdate === "turn_completed") {
    const failed = update.stop_reason === "error";
    return { kind: "turn-ended", error: failed ? nonBlank(update.agent_result) : null };
  }
  if (update.sessionUpdate === "background_tasks")
    return { kind: "tasks", running: runningTasks(update.tasks) };
  if (update.sessionUpdate === "task_completed") {
    const ended = nonBlank(objectOf(update.task_snapshot)?.task_id);
    return ended === null ? "no-news" : { kind: "task-ended", id: ended };
  }
  const id = nonBlank(update.toolCallId);
  if (id === null) return "no-news";
  if (update.status === "completed" || update.status === "failed") return { kind: "call-ended", id };
  const about = aboutOf(objectOf(update.rawInput));
  return { kind: "call", id, about };
}

function runningTasks(tasks: unknown): BackgroundTask[] {
  return objectsOf(tasks).flatMap((task) => {
    const id = nonBlank(task.task_id);
    if (id === null || task.status !== "running") return [];
    return [{ id, startedAtMs: timeOf(task.started_at) }];
  });
}

function aboutOf(input: Json | null): string | null {
  if (input === null) return null;
  const question = nonBlank(objectsOf(input.questions)[0]?.question);
  return (
    question ??
    nonBlank(input.command) ??
    nonBlank(input.file_path) ??
    nonBlank(input.path) ??
    nonBlank(input.description)
  );
}
