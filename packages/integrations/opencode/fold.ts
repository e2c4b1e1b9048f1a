// From the newest rows of a session to what it is doing. Rows are a snapshot, so this folds over them newest first. The
// endings behind each rule are in README.md. Pure.
import type { MessageRecord, ToolRecord } from "./records.ts";

/** What was read of one session, sub-agents of its open calls included. */
export interface Rows {
  /** Newest first. */
  messages: readonly MessageRecord[];
  /** Tool calls of the newest assistant message, in their order. */
  tools: readonly ToolRecord[];
  /** Per sub-agent session that an open `task` names: its own newest open calls. */
  children: ReadonlyMap<string, readonly ToolRecord[]>;
}

export type Phase =
  /** Nothing was said yet. */
  | { kind: "none" }
  /** The newest prompt has no answer yet. */
  | { kind: "prompted"; atMs: number }
  /** A request to the model is under way, or is tried again. */
  | { kind: "answering"; atMs: number }
  /** Calls are open, and not all of them ask a person. Whether one of them waits at a gate is not on disk. */
  | { kind: "tools"; atMs: number; call: ToolRecord }
  /** Every open call asks a person. */
  | { kind: "asking"; atMs: number; call: ToolRecord; what: "question" | "plan" }
  /** The next request has yet to be written; when none comes, the turn is over. `refused`: none comes by default. */
  | { kind: "between"; atMs: number; refused: boolean }
  | { kind: "over"; atMs: number; error: string | null };

export interface Conversation {
  phase: Phase;
  /** In words for the explanation. */
  newest: string | null;
  model: string | null;
  contextTokens: number | null;
  prompted: boolean;
}

export const NO_CONVERSATION: Conversation = {
  phase: { kind: "none" },
  newest: null,
  model: null,
  contextTokens: null,
  prompted: false,
};

/** Calls that wait for a person by their nature, and what for. */
const ASKING_TOOLS: Readonly<Record<string, "question" | "plan">> = {
  question: "question",
  plan_exit: "plan",
};
/** Ends of a request after which OpenCode sends the next one. */
const CONTINUING_FINISHES: ReadonlySet<string | null> = new Set(["tool-calls", "unknown"]);
/** How a call ends that a person refused, after which no request follows (unless configured to). A refusal with words of
 * the person's own is told to the model, which goes on. */
const REFUSED = /rejected permission(?!.*with the following feedback)|dismissed this question/s;
const INTERRUPTED = "MessageAbortedError";

export function foldRows(rows: Rows): Conversation {
  const { messages } = rows;
  const answer = messages.find((message) => message.role === "assistant");
  const measured = messages.find((message) => message.tokens !== null);
  return {
    phase: phaseOf(rows),
    newest: messages[0] === undefined ? null : wordsFor(messages[0], rows.tools),
    model: answer?.model ?? null,
    contextTokens: measured?.tokens?.total ?? null,
    prompted: messages.length > 0,
  };
}

function phaseOf({ messages, tools, children }: Rows): Phase {
  const newest = messages[0];
  if (newest === undefined) return { kind: "none" };
  const answer = messages.find((message) => message.role === "assistant");
  if (answer === undefined) return { kind: "prompted", atMs: newest.createdAtMs };
  if (answer.completedAtMs === null) return workOf(answer, openCalls(tools, children));
  // A prompt that was typed during the turn waits for its end; one that ended by force leaves it unanswered.
  const queued = newest.role === "user" && newest.createdAtMs < answer.completedAtMs;
  if (newest.role === "user" && !queued) return { kind: "prompted", atMs: newest.createdAtMs };
  const atMs = answer.completedAtMs;
  const failed = answer.error !== null && answer.error.name !== INTERRUPTED;
  const error = failed ? answer.error!.message : null;
  const ended = answer.error !== null || answer.finish === null;
  if (ended || !(queued || CONTINUING_FINISHES.has(answer.finish))) return { kind: "over", atMs, error };
  const refused = tools.some((tool) => tool.status === "error" && REFUSED.test(tool.error ?? ""));
  return { kind: "between", atMs, refused: refused && !queued };
}

function workOf(answer: MessageRecord, open: readonly ToolRecord[]): Phase {
  const call = open.find((one) => !(one.tool in ASKING_TOOLS)) ?? open[0];
  if (call === undefined) return { kind: "answering", atMs: answer.createdAtMs };
  const atMs = call.startedAtMs ?? answer.createdAtMs;
  const what = ASKING_TOOLS[call.tool];
  return what === undefined ? { kind: "tools", atMs, call } : { kind: "asking", atMs, call, what };
}

/** A sub-agent's call stands for the `task` that waits for it. Calls whose arguments still stream (`pending`) are not made
 * yet. */
export function openCalls(tools: readonly ToolRecord[], children: Rows["children"]): ToolRecord[] {
  return tools.filter(isOpen).flatMap((tool) => {
    const below = children.get(tool.childSessionId ?? "")?.filter(isOpen) ?? [];
    return below.length > 0 ? below : [tool];
  });
}

export function isOpen(tool: ToolRecord): boolean {
  return tool.status === "running";
}

function wordsFor(message: MessageRecord, tools: readonly ToolRecord[]): string {
  if (message.role === "user") return "prompt";
  const open = tools.filter(isOpen).map((tool) => tool.tool);
  if (message.completedAtMs === null)
    return open.length > 0 ? `open call: ${open.join(", ")}` : "open answer";
  if (message.error !== null) return `answer ended by ${message.error.name}`;
  return message.finish === null ? "answer without a finish" : `answer finished: ${message.finish}`;
}
