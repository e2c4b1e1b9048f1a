// A whole log as a conversation in kolu's one shape. Entries form a tree; what is shown is its active branch, from the
// newest entry up to the root. Pure, apart from `readTranscriptOf`, which reads the file.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
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
import { createTail } from "@kolu/anyagent/tail.ts";
import type { Transcript, TranscriptItem, TranscriptUsage } from "@kolu/contract/transcript.ts";
import { readEntry } from "./records.ts";
import { isShell, toolEdits, toolInput } from "./tool-input.ts";

export interface TranscriptOptions {
  agent: string;
  /** sum: every answer's tokens together. newest: those of the newest answer that has any. */
  usage: "sum" | "newest";
  /** Where the agent keeps it outside the entries; null: the log's own name of the session. */
  title: string | null;
  /** Overrides the model of the answers, for an agent that names it elsewhere. */
  modelFrom?: "answers" | "choices";
}

/** Null when there is no such file (any more). Rejects when it cannot be read. */
export async function readTranscriptOf(path: string, options: TranscriptOptions): Promise<Transcript | null> {
  const read = await createTail(path, { windowBytes: Number.MAX_SAFE_INTEGER }).read();
  if (read.missing) return null;
  const transcript = transcriptOf(read.lines, options);
  return {
    ...transcript,
    skippedRecords: transcript.skippedRecords + read.skippedLines + (endsTorn(path) ? 1 : 0),
  };
}

/** A last line without its end is half an entry: being written now, or left by a process that was killed while writing. */
function endsTorn(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10;
  } finally {
    closeSync(file);
  }
}

export function transcriptOf(lines: readonly string[], options: TranscriptOptions): Transcript {
  const parsed = lines.map(parseObject);
  const entries = parsed.filter((entry): entry is Json => entry !== null && typeof entry.type === "string");
  const header = entries.find((entry) => entry.type === "session");
  const branch = activeBranch(entries);
  const facts = factsOf(branch);
  const chosen = facts.provider === null ? facts.chosen : `${facts.provider}/${facts.chosen}`;
  return {
    agent: options.agent,
    sessionId: stringOf(header?.id),
    title: options.title ?? facts.name,
    cwd: stringOf(header?.cwd),
    model: options.modelFrom === "choices" ? chosen : (facts.model ?? facts.chosen),
    version: null,
    startedAtMs: timeOf(header?.timestamp),
    items: itemsOf(branch),
    usage: options.usage === "sum" ? sumOf(facts.usages) : (facts.usages.at(-1) ?? NO_USAGE),
    skippedRecords: lines.length - entries.length,
  };
}

/** From the newest entry along its parents. An entry without an id belongs to no tree and stays; above a parent that is
 * not there (a log that was shrunk) everything stays. */
export function activeBranch(entries: readonly Json[]): Json[] {
  const positions = new Map<string, number>();
  for (const [at, entry] of entries.entries()) {
    const id = stringOf(entry.id);
    if (id !== null && entry.type !== "session") positions.set(id, at);
  }
  const active = new Set<number>();
  let allBefore = 0;
  let at: number | null = positions.size === 0 ? null : Math.max(...positions.values());
  while (at !== null && !active.has(at)) {
    active.add(at);
    const parentId = stringOf(entries[at]!.parentId);
    const parent: number | null = parentId === null ? null : (positions.get(parentId) ?? null);
    if (parentId !== null && parent === null) allBefore = at;
    at = parent;
  }
  const isShown = (entry: Json, position: number) =>
    active.has(position) || position < allBefore || entry.type === "session" || stringOf(entry.id) === null;
  return entries.filter(isShown);
}

interface BranchFacts {
  model: string | null;
  chosen: string | null;
  provider: string | null;
  name: string | null;
  usages: TranscriptUsage[];
}

function factsOf(branch: readonly Json[]): BranchFacts {
  const facts: BranchFacts = { model: null, chosen: null, provider: null, name: null, usages: [] };
  for (const json of branch) {
    const entry = readEntry(json);
    if (typeof entry === "string") continue;
    if (entry.kind === "model") {
      facts.chosen = entry.model;
      facts.provider = entry.provider;
    } else if (entry.kind === "name") {
      facts.name = entry.name;
    } else if (entry.kind === "assistant") {
      facts.model = entry.model ?? facts.model;
      const usage = usageOf(objectOf(objectOf(json.message)?.usage));
      if (usage !== null) facts.usages.push(usage);
    }
  }
  return facts;
}

const NO_USAGE: TranscriptUsage = { input: null, output: null, cacheRead: null, cacheWrite: null };
const BUCKETS = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** Null when it counts nothing: an answer that was aborted or refused. */
function usageOf(usage: Json | null): TranscriptUsage | null {
  if (usage === null) return null;
  const counts = { ...NO_USAGE };
  for (const bucket of BUCKETS) {
    const count = numberOf(usage[bucket]);
    counts[bucket] = count === null ? null : Math.round(count);
  }
  return BUCKETS.some((bucket) => (counts[bucket] ?? 0) > 0) ? counts : null;
}

function sumOf(usages: readonly TranscriptUsage[]): TranscriptUsage {
  const sum = { ...NO_USAGE };
  for (const usage of usages) {
    for (const bucket of BUCKETS) {
      if (usage[bucket] !== null) sum[bucket] = (sum[bucket] ?? 0) + usage[bucket];
    }
  }
  return sum;
}

// ---- what was said and done

function itemsOf(branch: readonly Json[]): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  const calls = new Map<string, TranscriptItem & { kind: "tool" }>();
  let chosen: string | null = null;
  for (const entry of branch) {
    const atMs = timeOf(entry.timestamp);
    switch (entry.type) {
      case "message":
        pushMessage(items, calls, objectOf(entry.message) ?? {}, atMs);
        break;
      case "model_change": {
        const model = nonBlank(entry.modelId) ?? nonBlank(entry.model);
        if (model !== null && chosen !== null && model !== chosen) {
          items.push({ kind: "note", atMs, text: `Model: ${model}` });
        }
        chosen = model ?? chosen;
        break;
      }
      case "compaction":
        items.push({ kind: "note", atMs, text: noteOf("The conversation was compacted.", entry.summary) });
        break;
      case "branch_summary":
        items.push({ kind: "note", atMs, text: noteOf("Another branch was left.", entry.summary) });
        break;
      case "custom_message":
        if (entry.display === true) items.push({ kind: "note", atMs, text: textOf(entry.content) });
        break;
      default:
      // Settings, labels, bookkeeping: nothing that was said or done.
    }
  }
  return items;
}

function noteOf(what: string, summary: unknown): string {
  const words = nonBlank(summary);
  return words === null ? what : `${what}\n\n${words}`;
}

function pushMessage(
  items: TranscriptItem[],
  calls: Map<string, TranscriptItem & { kind: "tool" }>,
  message: Json,
  entryAtMs: number | null,
): void {
  const atMs = entryAtMs ?? numberOf(message.timestamp);
  switch (message.role) {
    case "user":
      items.push({ kind: "user", atMs, text: textOf(message.content) });
      break;
    case "assistant":
      pushAssistant(items, calls, message, atMs);
      break;
    case "toolResult": {
      const result = { output: textOf(message.content), failed: message.isError === true };
      const call = calls.get(stringOf(message.toolCallId) ?? "");
      if (call !== undefined) Object.assign(call, result);
      else items.push({ ...toolItem(message.toolCallId, message.toolName, null, atMs), ...result });
      break;
    }
    case "bashExecution": {
      const item = toolItem(null, "bash", { command: stringOf(message.command) ?? "" }, atMs);
      const failed = message.cancelled === true || (numberOf(message.exitCode) ?? 0) !== 0;
      items.push({ ...item, output: stringOf(message.output), failed });
      break;
    }
    default:
  }
}

function pushAssistant(
  items: TranscriptItem[],
  calls: Map<string, TranscriptItem & { kind: "tool" }>,
  message: Json,
  atMs: number | null,
): void {
  const model = nonBlank(message.model);
  const content =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  for (const block of objectsOf(content)) {
    if (block.type === "text" && nonBlank(block.text) !== null) {
      items.push({ kind: "assistant", atMs, text: stringOf(block.text)!, model });
    } else if (block.type === "thinking" && nonBlank(block.thinking) !== null) {
      items.push({ kind: "reasoning", atMs, text: stringOf(block.thinking)! });
    } else if (block.type === "toolCall") {
      const item = toolItem(block.id, block.name, objectOf(block.arguments), atMs);
      items.push(item);
      if (item.callId !== null) calls.set(item.callId, item);
    }
  }
  if (message.stopReason === "aborted") items.push({ kind: "note", atMs, text: "Interrupted." });
  if (message.stopReason === "error") {
    items.push({ kind: "note", atMs, text: nonBlank(message.errorMessage) ?? "The request failed." });
  }
  if (message.stopReason === "length")
    items.push({ kind: "note", atMs, text: "The answer met its length limit." });
}

function toolItem(
  callId: unknown,
  name: unknown,
  input: Json | null,
  atMs: number | null,
): TranscriptItem & { kind: "tool" } {
  const tool = nonBlank(name) ?? "a tool";
  return {
    kind: "tool",
    atMs,
    callId: nonBlank(callId),
    name: tool,
    input: toolInput(isShell(tool), input),
    output: null,
    failed: false,
    edits: input === null ? [] : toolEdits(tool, input),
  };
}

/** Text blocks of a message's content, an image as a word. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((block) => (block.type === "image" ? "[image]" : (stringOf(block.text) ?? "")))
    .filter((text) => text !== "")
    .join("\n");
}
