// The entries of a conversation -> its transcript in the shape that all agents share. Pure; plugin.ts reads the file.
import {
  type Json,
  nonBlank,
  numberOf,
  objectOf,
  parseObject,
  stringOf,
  timeOf,
} from "@kolu/anyagent/lenient.ts";
import type { Transcript, TranscriptItem, TranscriptUsage } from "@kolu/contract/transcript.ts";
import {
  type Addition,
  assistantAdditions,
  attachmentAdditions,
  editsOf,
  inputText,
  SYNTHETIC,
  systemAdditions,
  userAdditions,
} from "./transcript-entries.ts";
import { claudeVocab } from "./vocab.ts";

/** What lies beside the entries. */
export interface TranscriptContext {
  sessionId: string;
  /** The name that a person gave, from its own file. */
  titleFromFile: string | null;
  /** Lines that were too long to be read. */
  skippedLines: number;
}

type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;

/** A prompt and all that followed until the next one. The first turn of a file may have no prompt. */
interface Turn {
  promptUuid: string | null;
  /** Index of its first entry among those with an id. */
  entryIndex: number;
  items: TranscriptItem[];
}

export interface TranscriptFold {
  /** One line of the file, in the file's order. */
  add(line: string): void;
  /** The transcript of all lines so far. */
  finish(context: TranscriptContext): Transcript;
}

export function foldTranscript(): TranscriptFold {
  const turns: Turn[] = [{ promptUuid: null, entryIndex: 0, items: [] }];
  const calls = new Map<string, { item: ToolItem; input: Json }>();
  const parents = new Map<string, { parent: string | null; index: number }>();
  const usageByMessage = new Map<string, Json>();
  const titles: { user: string | null; agent: string | null } = { user: null, agent: null };
  const facts = { cwd: null, model: null, version: null } as Record<
    "cwd" | "model" | "version",
    string | null
  >;
  let startedAtMs: number | null = null;
  let lastUuid: string | null = null;
  let skippedRecords = 0;

  const push = (item: TranscriptItem): void => {
    turns.at(-1)!.items.push(item);
  };

  const takeCall = ({ callId, name, input }: Addition & { kind: "call" }, atMs: number | null): void => {
    const made = { callId, name, input: inputText(input) };
    const item: ToolItem = { kind: "tool", atMs, ...made, output: null, failed: false, edits: [] };
    if (callId !== null) calls.set(callId, { item, input });
    push(item);
  };

  const takeResult = ({ callId, output, failed, details }: Addition & { kind: "result" }): void => {
    const call = calls.get(callId);
    // A result without its call: the call's line could not be read, and was counted.
    if (call === undefined) return;
    const { item, input } = call;
    Object.assign(item, { output, failed, edits: failed ? [] : editsOf(item.name, input, details) });
  };

  const take = (addition: Addition, atMs: number | null, uuid: string | null): void => {
    switch (addition.kind) {
      case "prompt":
        turns.push({ promptUuid: uuid, entryIndex: parents.size, items: [] });
        push({ kind: "user", atMs, text: addition.text });
        break;
      case "assistant":
        push({ kind: "assistant", atMs, text: addition.text, model: facts.model });
        break;
      case "reasoning":
      case "note":
        push({ kind: addition.kind, atMs, text: addition.text });
        break;
      case "call":
        takeCall(addition, atMs);
        break;
      case "result":
        takeResult(addition);
        break;
      default:
        addition satisfies never;
    }
  };

  const takeModel = (message: Json | null, atMs: number | null): void => {
    const model = stringOf(message?.model);
    if (model === null || model === SYNTHETIC) return;
    if (facts.model !== null && facts.model !== model)
      push({ kind: "note", atMs, text: `The model is now ${model}` });
    facts.model = model;
  };

  const additionsOf = (entry: Json, atMs: number | null): Addition[] => {
    switch (entry.type) {
      case "user":
        return userAdditions(entry);
      case "attachment":
        return attachmentAdditions(entry);
      case "assistant": {
        const message = objectOf(entry.message);
        takeModel(message, atMs);
        takeUsage(usageByMessage, message, stringOf(entry.uuid));
        return assistantAdditions(entry);
      }
      case "system":
        return systemAdditions(entry);
      case "custom-title":
        titles.user = nonBlank(entry.customTitle);
        return [];
      case "ai-title":
        titles.agent = nonBlank(entry.aiTitle) ?? titles.agent;
        return [];
      default:
        return [];
    }
  };

  return {
    add(line) {
      const entry = parseObject(line);
      if (entry === null) {
        skippedRecords += 1;
        return;
      }
      // A sub-agent's own conversation, which older releases kept in its parent's file.
      if (entry.isSidechain === true) return;
      const atMs = timeOf(entry.timestamp);
      startedAtMs ??= atMs;
      facts.cwd ??= stringOf(entry.cwd);
      facts.version = stringOf(entry.version) ?? facts.version;
      const uuid = stringOf(entry.uuid);
      const additions = additionsOf(entry, atMs);
      for (const addition of additions) take(addition, atMs, uuid);
      if (uuid === null) return;
      // A compaction begins anew and names what it goes on from beside that.
      const parent = stringOf(entry.parentUuid) ?? stringOf(entry.logicalParentUuid);
      parents.set(uuid, { parent, index: parents.size });
      lastUuid = uuid;
    },
    finish: ({ sessionId, titleFromFile, skippedLines }) => ({
      agent: claudeVocab.kind,
      sessionId,
      title: titleFromFile ?? titles.user ?? titles.agent,
      ...facts,
      startedAtMs,
      items: turns.flatMap(turnsTold(parents, lastUuid)),
      usage: sumUsage([...usageByMessage.values()]),
      skippedRecords: skippedRecords + skippedLines,
    }),
  };
}

// ---- turns that the conversation went back over

/**
 * Entries form a tree: a prompt that was cancelled before any answer, or that a person went back over, stays in the file
 * as a branch that the newest entry does not descend from. Whole turns are judged, because of parallel calls only the last
 * result lies on the newest entry's line. Before the place where that line ends nothing is known, with one exception: the
 * first prompt of all may have been cancelled too.
 */
function turnsTold(
  parents: ReadonlyMap<string, { parent: string | null; index: number }>,
  lastUuid: string | null,
): (turn: Turn) => TranscriptItem[] {
  const line = new Set<string>();
  let oldestIndex = Number.POSITIVE_INFINITY;
  let next = lastUuid;
  while (next !== null && !line.has(next)) {
    const entry = parents.get(next);
    if (entry === undefined) break;
    line.add(next);
    oldestIndex = entry.index;
    next = entry.parent;
  }
  const reachesRoot = next === null;
  return ({ promptUuid, entryIndex, items }) => {
    if (promptUuid === null || line.has(promptUuid)) return items;
    const isPromptAlone = items.every((item) => item.kind === "user");
    if (entryIndex < oldestIndex) {
      const isFirst = reachesRoot && parents.get(promptUuid)?.parent === null;
      return isFirst && isPromptAlone ? [] : items;
    }
    // Put back into the input box, where it was sent from again or dropped: it is no part of what was said.
    if (isPromptAlone) return [];
    const { atMs } = items.at(-1)!;
    return [
      ...items,
      { kind: "note", atMs, text: "Taken back: the conversation went on from before this prompt" },
    ];
  };
}

// ---- tokens

/** Every entry of a message repeats the usage of the whole: the newest counts. */
function takeUsage(byMessage: Map<string, Json>, message: Json | null, uuid: string | null): void {
  const usage = objectOf(message?.usage);
  const key = stringOf(message?.id) ?? uuid;
  if (usage !== null && key !== null && message?.model !== SYNTHETIC) byMessage.set(key, usage);
}

function sumUsage(usages: readonly Json[]): TranscriptUsage {
  const sum = (field: string): number | null => {
    const counts = usages.map((usage) => numberOf(usage[field])).filter((count) => count !== null);
    return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0);
  };
  return {
    input: sum("input_tokens"),
    output: sum("output_tokens"),
    cacheRead: sum("cache_read_input_tokens"),
    cacheWrite: sum("cache_creation_input_tokens"),
  };
}
