// A transcript, folded: what the conversation is at, as far as the file tells. Pure; the same object means "no news".
import type { Launch, ToolCall, TranscriptRecord } from "./records.ts";

export interface Conversation {
  /** none: no prompt yet. open: a prompt or a tool result is being answered. over: the model had its last word. */
  turn: "none" | "open" | "over";
  /** Calls without a result. The newest entry alone does not tell: parallel results arrive one by one. */
  openCalls: readonly ToolCall[];
  /** The turn ended because of this. */
  error: string | null;
  /** Of the newest real answer, carried over every entry that has none. */
  model: string | null;
  contextTokens: number | null;
  agentTitle: string | null;
  userTitle: string | null;
  todos: { completed: number; total: number } | null;
  /** Background work that was started here and not reported as ended. */
  launches: readonly Launch[];
  /** What the last ended turn left running, counted. */
  pending: { workflows: number; agents: number };
  prompted: boolean;
  /** The newest entry that says something about the state, in words for the explanation. */
  newest: string | null;
  newestAtMs: number | null;
}

export const NO_CONVERSATION: Conversation = {
  turn: "none",
  openCalls: [],
  error: null,
  model: null,
  contextTokens: null,
  agentTitle: null,
  userTitle: null,
  todos: null,
  launches: [],
  pending: { workflows: 0, agents: 0 },
  prompted: false,
  newest: null,
  newestAtMs: null,
};

/** Stop reasons after which the model says nothing more by itself. */
const LAST_WORDS = new Set(["end_turn", "stop_sequence", "refusal"]);

export function fold(before: Conversation, record: TranscriptRecord): Conversation {
  switch (record.kind) {
    case "prompt":
      return {
        ...withoutTask(before, record.endedTaskId),
        turn: "open",
        openCalls: [],
        error: null,
        prompted: true,
        ...newest("a prompt", record),
      };
    case "tool-results":
      return foldResults(before, record);
    case "interrupted":
      return { ...before, turn: "over", openCalls: [], ...newest("interrupted by the user", record) };
    case "assistant":
      return foldAssistant(before, record);
    case "api-error":
      return {
        ...before,
        turn: "over",
        openCalls: [],
        error: record.message,
        ...newest("an API error", record),
      };
    case "turn-end":
      return {
        ...before,
        turn: "over",
        openCalls: [],
        pending: { workflows: record.pendingWorkflows, agents: record.pendingAgents },
        ...newest("the end of a turn", record),
      };
    case "title":
      return foldTitle(before, record.by === "user" ? "userTitle" : "agentTitle", record.title);
    case "task-ended":
      return withoutTask(before, record.taskId);
    default:
      return record satisfies never;
  }
}

function foldResults(
  before: Conversation,
  record: TranscriptRecord & { kind: "tool-results" },
): Conversation {
  const openCalls = before.openCalls.filter((call) => !record.callIds.includes(call.id));
  const launches = record.launch === null ? before.launches : [...before.launches, record.launch];
  // A refused gate ends the turn. Should the agent go on all the same, its next entry says so.
  const turn = record.rejected ? "over" : "open";
  const words = record.rejected ? "a tool call that the user refused" : "a tool result";
  return { ...before, turn, openCalls, launches, ...newest(words, record) };
}

function foldAssistant(before: Conversation, record: TranscriptRecord & { kind: "assistant" }): Conversation {
  const known = new Set(before.openCalls.map((call) => call.id));
  const openCalls = [...before.openCalls, ...record.calls.filter((call) => !known.has(call.id))];
  const over = record.aborted || (LAST_WORDS.has(record.stopReason ?? "") && openCalls.length === 0);
  const call = record.calls.at(-1);
  const words =
    call === undefined ? `assistant, ${record.stopReason ?? "cut short"}` : `assistant calls ${call.name}`;
  return {
    ...before,
    turn: over ? "over" : "open",
    openCalls: over ? [] : openCalls,
    error: null,
    model: record.model ?? before.model,
    contextTokens: record.contextTokens ?? before.contextTokens,
    todos: record.todos ?? before.todos,
    prompted: true,
    ...newest(words, record),
  };
}

function foldTitle(before: Conversation, field: "userTitle" | "agentTitle", title: string): Conversation {
  return before[field] === title ? before : { ...before, [field]: title };
}

function withoutTask(before: Conversation, taskId: string | null): Conversation {
  if (!before.launches.some((launch) => launch.taskId === taskId)) return before;
  return { ...before, launches: before.launches.filter((launch) => launch.taskId !== taskId) };
}

function newest(words: string, record: TranscriptRecord): Pick<Conversation, "newest" | "newestAtMs"> {
  return { newest: words, newestAtMs: record.atMs };
}

/** Does an older part of the file have to be looked at? Facts carry forward, so the end of a long file may lack them. */
export function lacksFacts(conversation: Conversation): boolean {
  return (
    conversation.model === null ||
    conversation.contextTokens === null ||
    (conversation.agentTitle === null && conversation.userTitle === null)
  );
}

/** Words without which a line can give none of those facts: looked for in the bytes, before any parsing. */
export const FACT_MARKS = ['"usage"', '"aiTitle"', '"customTitle"'];

/** Takes from an older record only what newer ones did not tell. Records come newest first. */
export function backfill(conversation: Conversation, older: TranscriptRecord): Conversation {
  if (older.kind === "assistant") {
    const model = conversation.model ?? older.model;
    const contextTokens = conversation.contextTokens ?? older.contextTokens;
    if (model === conversation.model && contextTokens === conversation.contextTokens) return conversation;
    return { ...conversation, model, contextTokens };
  }
  if (older.kind !== "title") return conversation;
  const field = older.by === "user" ? "userTitle" : "agentTitle";
  return conversation[field] === null ? { ...conversation, [field]: older.title } : conversation;
}

/** Sub-agents of a workflow that have started and not given their result. */
export function foldJournal(
  live: ReadonlySet<string>,
  entry: { type: string; agentId: string | null },
): ReadonlySet<string> {
  if (entry.agentId === null) return live;
  if (entry.type === "started") return new Set([...live, entry.agentId]);
  if (entry.type !== "result" || !live.has(entry.agentId)) return live;
  return new Set([...live].filter((id) => id !== entry.agentId));
}
