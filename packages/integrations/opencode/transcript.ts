// A whole conversation out of its message and part rows, in the one shape that every agent's has.
import { askDatabase, type ForeignDatabase, type ForeignRow } from "@kolu/anyagent/foreign-database.ts";
import {
  type Json,
  nonBlank,
  numberOf,
  objectOf,
  objectsOf,
  parseObject,
  stringOf,
} from "@kolu/anyagent/lenient.ts";
import type {
  Transcript,
  TranscriptEdit,
  TranscriptItem,
  TranscriptUsage,
} from "@kolu/contract/transcript.ts";
import { givenTitle, type MessageRecord, parseMessage, type SessionRow } from "./records.ts";
import { checked, readOf, readSession } from "./store.ts";

/** Null when the database or the session is not there (any more). Rejects when it cannot be read. */
export async function readTranscriptOf(databasePath: string, sessionId: string): Promise<Transcript | null> {
  const answer = askDatabase(
    databasePath,
    checked((database) => {
      const { session } = readSession(database, sessionId);
      return session === null ? null : transcriptOf(session, rowsOf(database, sessionId));
    }),
  );
  if (!answer.ok && answer.fault === "missing") return null;
  const read = readOf(answer, databasePath);
  if (!read.ok) throw new Error(`the conversation cannot be read: ${read.reason}`);
  return read.value;
}

export interface TranscriptRows {
  messages: readonly ForeignRow[];
  /** With `message_id`, in their order. */
  parts: readonly ForeignRow[];
}

function rowsOf(database: ForeignDatabase, sessionId: string): TranscriptRows {
  return {
    messages: database.all(
      "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id",
      sessionId,
    ),
    parts: database.all(
      `SELECT part.message_id, part.data FROM part JOIN message ON message.id = part.message_id
       WHERE message.session_id = ? ORDER BY part.id`,
      sessionId,
    ),
  };
}

/** Pure. */
export function transcriptOf(session: SessionRow, rows: TranscriptRows): Transcript {
  const partsOf = new Map<unknown, unknown[]>();
  for (const { message_id, data } of rows.parts) {
    const known = partsOf.get(message_id);
    if (known === undefined) partsOf.set(message_id, [data]);
    else known.push(data);
  }
  const items: TranscriptItem[] = [];
  const messages: MessageRecord[] = [];
  let skippedRecords = 0;
  for (const row of rows.messages) {
    const message = parseMessage(row);
    if (message === null) {
      skippedRecords += 1;
      continue;
    }
    messages.push(message);
    for (const data of partsOf.get(row.id) ?? []) {
      const part = parseObject(stringOf(data) ?? "");
      if (part === null || stringOf(part.type) === null) skippedRecords += 1;
      else items.push(...itemsOf(part, message));
    }
    if (message.error !== null) items.push(note(endingOf(message.error), message.completedAtMs));
  }
  return {
    agent: "opencode",
    sessionId: session.id,
    title: givenTitle(session.title),
    cwd: session.directory,
    model: messages.findLast((message) => message.role === "assistant")?.model ?? null,
    version: session.version,
    startedAtMs: session.createdAtMs,
    items,
    usage: usageOf(messages),
    skippedRecords,
  };
}

function endingOf({ name, message }: NonNullable<MessageRecord["error"]>): string {
  return name === "MessageAbortedError" ? "Interrupted" : `The turn ended with an error: ${message}`;
}

function note(text: string, atMs: number | null): TranscriptItem {
  return { kind: "note", atMs, text };
}

/** Parts that only bracket a request or mark a snapshot say nothing. */
function itemsOf(part: Json, message: MessageRecord): TranscriptItem[] {
  const atMs = numberOf(objectOf(part.time)?.start) ?? message.createdAtMs;
  const text = nonBlank(part.text);
  switch (part.type) {
    case "text":
      // Synthetic text is OpenCode's own, for the model: what a command gave, a file's content.
      if (text === null || part.synthetic === true) return [];
      return message.role === "user"
        ? [{ kind: "user", atMs, text }]
        : [{ kind: "assistant", atMs, text, model: message.model }];
    case "reasoning":
      return text === null ? [] : [{ kind: "reasoning", atMs, text }];
    case "tool":
      return toolItem(part, message.createdAtMs);
    case "file":
      return [note(`Attached: ${nonBlank(part.filename) ?? "a file"}`, atMs)];
    case "compaction":
      return [note("The conversation was compacted", atMs)];
    case "retry":
      return [note(`Asked again after: ${nonBlank(errorTextOf(part)) ?? "an error"}`, atMs)];
    default:
      return [];
  }
}

function errorTextOf(part: Json): unknown {
  return objectOf(objectOf(part.error)?.data)?.message;
}

function toolItem(part: Json, messageAtMs: number): TranscriptItem[] {
  const name = nonBlank(part.tool);
  if (name === null) return [];
  const state = objectOf(part.state) ?? {};
  const input = objectOf(state.input) ?? {};
  return [
    {
      kind: "tool",
      atMs: numberOf(objectOf(state.time)?.start) ?? messageAtMs,
      callId: nonBlank(part.callID),
      name,
      input: name === "bash" ? (stringOf(input.command) ?? "") : JSON.stringify(input, null, 2),
      output: stringOf(state.output) ?? stringOf(state.error),
      failed: state.status === "error",
      edits: state.status === "completed" ? editsOf(name, input) : [],
    },
  ];
}

/** Arguments of the tools that change files (observed on 1.18.33: write; from their schemas: edit, multiedit). */
function editsOf(name: string, input: Json): TranscriptEdit[] {
  const path = nonBlank(input.filePath);
  if (path === null) return [];
  switch (name) {
    case "write": {
      const after = stringOf(input.content);
      return after === null ? [] : [{ path, before: null, after }];
    }
    case "edit":
      return replacement(path, input);
    case "multiedit":
      return objectsOf(input.edits).flatMap((edit) => replacement(path, edit));
    default:
      return [];
  }
}

function replacement(path: string, { oldString, newString }: Json): TranscriptEdit[] {
  const before = stringOf(oldString);
  const after = stringOf(newString);
  return after === null ? [] : [{ path, before, after }];
}

function usageOf(messages: readonly MessageRecord[]): TranscriptUsage {
  const counted = messages.flatMap(({ tokens }) => tokens ?? []);
  const sum = (count: (tokens: NonNullable<MessageRecord["tokens"]>) => number): number | null =>
    counted.length === 0 ? null : counted.reduce((total, tokens) => total + count(tokens), 0);
  return {
    input: sum((tokens) => tokens.input),
    output: sum((tokens) => tokens.output),
    cacheRead: sum((tokens) => tokens.cacheRead),
    cacheWrite: sum((tokens) => tokens.cacheWrite),
  };
}
