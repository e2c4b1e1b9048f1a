// Entries, folded: what the conversation is at, as far as its log tells. Pure; the same object means "no news".
// State follows the order of the file and not the branch: after Oh My Pi has shrunk a log, later entries skip their parent.
import type { Entry, ToolCall } from "./records.ts";

export interface Conversation {
  /** none: no prompt yet. open: a prompt or a tool result is being answered. over: the model had its last word. */
  turn: "none" | "open" | "over";
  /** Calls without a result. */
  openCalls: readonly ToolCall[];
  /** The newest answer ended in this. A failed request may be tried again, which the log does not tell. */
  error: string | null;
  /** Of the newest answer. */
  model: string | null;
  /** Chosen last, for the answers to come. */
  chosenModel: { provider: string | null; model: string } | null;
  /** Of the newest answer that counted any. */
  contextTokens: number | null;
  /** The name that a person gave the session in the log itself. */
  name: string | null;
  prompted: boolean;
  /** The newest entry that moved the state, in words for the explanation. */
  newest: string | null;
  newestAtMs: number | null;
}

export const NO_CONVERSATION: Conversation = {
  turn: "none",
  openCalls: [],
  error: null,
  model: null,
  chosenModel: null,
  contextTokens: null,
  name: null,
  prompted: false,
  newest: null,
  newestAtMs: null,
};

/** After these the model says nothing more by itself. Whatever else a release may add leaves the turn open. */
const LAST_WORDS = new Set(["stop", "length", "error", "aborted"]);

export function fold(before: Conversation, entry: Entry): Conversation {
  switch (entry.kind) {
    case "header":
      return before;
    case "prompt":
      return {
        ...before,
        turn: "open",
        openCalls: [],
        error: null,
        prompted: true,
        newest: "a prompt",
        newestAtMs: entry.atMs,
      };
    case "assistant":
      return foldAssistant(before, entry);
    case "tool-result":
      return {
        ...before,
        turn: "open",
        openCalls: before.openCalls.filter((call) => call.id !== entry.callId),
        newest: `the result of ${entry.tool ?? "a tool"}`,
        newestAtMs: entry.atMs,
      };
    case "model":
      return { ...before, chosenModel: { provider: entry.provider, model: entry.model } };
    case "name":
      return before.name === entry.name ? before : { ...before, name: entry.name };
    case "compaction":
      // What is left of the context is counted by the next answer.
      return before.contextTokens === null ? before : { ...before, contextTokens: null };
    default:
      return entry satisfies never;
  }
}

function foldAssistant(before: Conversation, entry: Entry & { kind: "assistant" }): Conversation {
  const over = LAST_WORDS.has(entry.stopReason ?? "");
  const calls = over ? [] : entry.calls;
  const words = calls.length === 0 ? `assistant, ${entry.stopReason ?? "no stop reason"}` : callWords(calls);
  return {
    ...before,
    turn: over ? "over" : "open",
    openCalls: calls,
    error: entry.error,
    model: entry.model ?? before.model,
    contextTokens: entry.contextTokens ?? before.contextTokens,
    prompted: true,
    newest: words,
    newestAtMs: entry.atMs,
  };
}

function callWords(calls: readonly ToolCall[]): string {
  return `assistant calls ${calls.map((call) => call.name).join(", ")}`;
}

/** Does an older part of the log have to be looked at? Facts carry forward, so the end of a long one may lack them. */
export function lacksFacts({ model, contextTokens, name }: Conversation): boolean {
  return model === null || contextTokens === null || name === null;
}

/** Takes from an older entry only what newer ones did not tell. Entries come newest first. */
export function backfill(conversation: Conversation, older: Entry): Conversation {
  if (older.kind === "name" && conversation.name === null) return { ...conversation, name: older.name };
  if (older.kind === "model" && conversation.chosenModel === null) return fold(conversation, older);
  if (older.kind !== "assistant") return conversation;
  const model = conversation.model ?? older.model;
  const contextTokens = conversation.contextTokens ?? older.contextTokens;
  if (model === conversation.model && contextTokens === conversation.contextTokens) return conversation;
  return { ...conversation, model, contextTokens };
}
