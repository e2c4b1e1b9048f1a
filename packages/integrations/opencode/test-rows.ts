// Rows as OpenCode 1.18.33 writes them, for tests: built in memory, or put into a database of its tables.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { MessageRecord, SessionRow, ToolRecord } from "./records.ts";

export const STARTED_AT_MS = 1_796_029_300_000;
export const CWD = "/tmp/demo/project-a";

export const sessionRow = (more: Partial<SessionRow> = {}): SessionRow => ({
  id: "ses_one",
  parentId: null,
  directory: CWD,
  title: "Rename the demo button",
  version: "1.18.33",
  createdAtMs: STARTED_AT_MS + 5_000,
  updatedAtMs: STARTED_AT_MS + 6_000,
  isArchived: false,
  ...more,
});

const base = { finish: null, error: null, tokens: null, completedAtMs: null };

export const prompt = (atMs = STARTED_AT_MS + 5_000): MessageRecord => {
  return { ...base, id: `msg_${atMs}`, role: "user", createdAtMs: atMs, model: "demo-model" };
};

export const answer = (atMs: number, more: Partial<MessageRecord> = {}): MessageRecord => {
  return { ...base, id: `msg_${atMs}`, role: "assistant", createdAtMs: atMs, model: "demo-model", ...more };
};

export const tokens = (total: number) => ({ input: total, output: 0, cacheRead: 0, cacheWrite: 0, total });

export const tool = (
  name: string,
  status: ToolRecord["status"],
  more: Partial<ToolRecord> = {},
): ToolRecord => ({
  tool: name,
  callId: "call_1",
  status,
  about: null,
  error: null,
  childSessionId: null,
  startedAtMs: null,
  ...more,
});

/** The columns that are read, of the tables that are read. */
const SCHEMA = `
  CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, position integer NOT NULL);`;

/** What a test needs of a writer's connection. */
export interface Writer {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: (string | number | null)[]): unknown };
  close(): void;
}

/** A database with a living writer, as a running OpenCode has it. `open` is the test's own import of SQLite. */
export function createStore(path: string, open: (path: string) => Writer) {
  mkdirSync(dirname(path), { recursive: true });
  const writer = open(path);
  writer.exec("PRAGMA journal_mode = WAL");
  writer.exec(SCHEMA);
  const insert = (table: string, values: (string | number | null)[]) => {
    const marks = values.map(() => "?").join(", ");
    writer.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${marks})`).run(...values);
  };
  return {
    writer,
    session: (id: string, more: Partial<SessionRow> = {}) => {
      const row = sessionRow(more);
      const archivedAtMs = row.isArchived ? 1 : null;
      const { parentId, directory, title, version, createdAtMs, updatedAtMs } = row;
      insert("session", [id, parentId, directory, title, version, createdAtMs, updatedAtMs, archivedAtMs]);
    },
    message: (sessionId: string, atMs: number, data: unknown) => {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      insert("message", [`msg_${atMs}`, sessionId, atMs, atMs, text]);
    },
    part: (sessionId: string, messageAtMs: number, id: string, data: unknown) => {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      insert("part", [id, `msg_${messageAtMs}`, sessionId, messageAtMs, messageAtMs, text]);
    },
    todo: (sessionId: string, position: number, status: string) => {
      insert("todo", [sessionId, "Do it", status, position]);
    },
  };
}

export const userData = (atMs: number) => ({ role: "user", time: { created: atMs } });
export const answerData = (atMs: number, more: Record<string, unknown> = {}, completedAtMs?: number) => ({
  role: "assistant",
  modelID: "demo-model",
  time: { created: atMs, completed: completedAtMs },
  tokens: { total: 123, input: 100, output: 23, reasoning: 0, cache: { read: 0, write: 0 } },
  ...more,
});
export const toolData = (name: string, status: string, more: Record<string, unknown> = {}) => ({
  type: "tool",
  tool: name,
  callID: "call_1",
  state: { status, input: {}, ...more },
});
