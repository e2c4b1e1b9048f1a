// OpenCode's database, asked: which sessions there are, and the newest rows of one. Every column that is relied upon is named
// here; one that a release renamed is said, not guessed around.
import type { DatabaseAnswer, ForeignDatabase } from "@kolu/anyagent/foreign-database.ts";
import { isOpen, openCalls } from "./fold.ts";
import {
  type MessageRecord,
  parseMessage,
  parseSession,
  parseTool,
  type SessionRow,
  type ToolRecord,
} from "./records.ts";

/** The newest sessions of a directory that are offered; older ones are no terminal's. */
const SESSIONS_MAX = 100;
/** The turn under way is among so many. */
const MESSAGES_MAX = 12;
/** So far back is a token count looked for: requests that fail or are interrupted have none. */
const MEASURED_MESSAGES_MAX = 200;
/** A row of more bytes is not read for a state: it is counted as malformed. The largest seen had 70 kB. */
const ROW_MAX_BYTES = 2 * 1024 * 1024;
/** How deep sub-agents of sub-agents are looked at. */
const CHILD_DEPTH_MAX = 3;

/** The columns that detection depends on (observed on 1.18.33). */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  session: ["id", "parent_id", "directory", "title", "time_created", "time_updated"],
  message: ["id", "session_id", "time_created", "data"],
  part: ["id", "message_id", "data"],
};
const OPTIONAL_SESSION_COLUMNS = ["version", "time_archived"] as const;

export interface SessionReading {
  session: SessionRow | null;
  messages: MessageRecord[];
  tools: ToolRecord[];
  children: Map<string, ToolRecord[]>;
  todos: { completed: number; total: number } | null;
  malformedRecords: number;
}

/** Missing tables and columns as one sentence; null when all that is needed is there. */
export function schemaFault(database: ForeignDatabase): string | null {
  for (const [table, needed] of Object.entries(NEEDED)) {
    const columns = database.columns(table);
    if (columns.size === 0) return `it has no table "${table}": another release, or a migration under way`;
    const lacking = needed.filter((name) => !columns.has(name));
    if (lacking.length > 0) {
      return `its table "${table}" has no column ${lacking.map((name) => `"${name}"`).join(", ")}: another release, or a migration under way`;
    }
  }
  return null;
}

/** Root sessions of any of the directories that are not archived, and the one with this id wherever it is; newest first. */
export function listSessions(
  database: ForeignDatabase,
  { directories, id }: { directories: readonly string[]; id: string | null },
): SessionRow[] {
  const marks = directories.map(() => "?").join(", ");
  const sql = `SELECT ${sessionColumns(database)} FROM session WHERE directory IN (${marks}) OR id = ?
    ORDER BY time_updated DESC LIMIT ${SESSIONS_MAX}`;
  const rows = database.all(sql, ...directories, id ?? "").map(parseSession);
  return rows.filter((row) => row !== null).filter((row) => row.parentId === null && !row.isArchived);
}

/** Reads what `foldRows` needs and the facts beside it. */
export function readSession(database: ForeignDatabase, id: string): SessionReading {
  const [row] = database.all(`SELECT ${sessionColumns(database)} FROM session WHERE id = ?`, id);
  const messages = messagesOf(database, id);
  const answer = newestAnswer(messages.records);
  const tools = answer === null ? parsedOf<ToolRecord>([]) : toolsOf(database, answer.id);
  const children = new Map<string, ToolRecord[]>();
  for (const call of tools.records) addOpenCallsBelow(database, call, children);
  return {
    session: row === undefined ? null : parseSession(row),
    messages: messages.records,
    tools: tools.records,
    children,
    todos: todosOf(database, id),
    malformedRecords: messages.malformed + tools.malformed,
  };
}

function sessionColumns(database: ForeignDatabase): string {
  const columns = database.columns("session");
  const optional = OPTIONAL_SESSION_COLUMNS.filter((name) => columns.has(name));
  return [...NEEDED.session!, ...optional].join(", ");
}

interface Parsed<T> {
  records: T[];
  malformed: number;
}

function parsedOf<T>(all: (T | null)[]): Parsed<T> {
  const records = all.filter((one) => one !== null);
  return { records, malformed: all.length - records.length };
}

function messagesOf(database: ForeignDatabase, sessionId: string): Parsed<MessageRecord> {
  const newest = newestMessages(database, sessionId, MESSAGES_MAX);
  const enough = newest.records.length < MESSAGES_MAX || newest.records.some(({ tokens }) => tokens !== null);
  return enough ? newest : newestMessages(database, sessionId, MEASURED_MESSAGES_MAX);
}

const DATA = `CASE WHEN octet_length(data) <= ${ROW_MAX_BYTES} THEN data END AS data`;

/** Ids begin with their time, so that they order rows of one millisecond. */
function newestMessages(database: ForeignDatabase, sessionId: string, limit: number): Parsed<MessageRecord> {
  const sql = `SELECT id, time_created, ${DATA} FROM message WHERE session_id = ?
    ORDER BY time_created DESC, id DESC LIMIT ${limit}`;
  return parsedOf(database.all(sql, sessionId).map(parseMessage));
}

function newestAnswer(messages: readonly MessageRecord[]): MessageRecord | null {
  return messages.find((message) => message.role === "assistant") ?? null;
}

function toolsOf(database: ForeignDatabase, messageId: string): Parsed<ToolRecord> {
  const rows = database.all(`SELECT ${DATA} FROM part WHERE message_id = ? ORDER BY id`, messageId);
  const { records, malformed } = parsedOf(rows.map((row) => parseTool(row.data)));
  return { records: records.filter((part) => part !== "other"), malformed };
}

/** Adds the open calls of the sub-agent that this call waits for; where one of them waits for a sub-agent of its own, that
 * one's instead. */
function addOpenCallsBelow(
  database: ForeignDatabase,
  call: ToolRecord,
  children: Map<string, ToolRecord[]>,
  depth = 1,
): void {
  const id = call.childSessionId;
  if (id === null || !isOpen(call) || depth > CHILD_DEPTH_MAX || children.has(id)) return;
  const answer = newestAnswer(newestMessages(database, id, 2).records);
  if (answer === null || answer.completedAtMs !== null) return;
  const calls = toolsOf(database, answer.id).records.filter(isOpen);
  children.set(id, calls);
  for (const below of calls) addOpenCallsBelow(database, below, children, depth + 1);
  children.set(id, openCalls(calls, children));
}

/** Null without a list. What was cancelled is neither done nor to be done. */
function todosOf(database: ForeignDatabase, sessionId: string): SessionReading["todos"] {
  const columns = database.columns("todo");
  if (!columns.has("session_id") || !columns.has("status")) return null;
  const rows = database.all("SELECT status FROM todo WHERE session_id = ?", sessionId);
  const counted = rows.filter((row) => row.status !== "cancelled");
  if (counted.length === 0) return null;
  return { completed: counted.filter((row) => row.status === "completed").length, total: counted.length };
}

/** The answer's value, or why there is none, as a sentence for `missing`. */
export type Read<T> = { ok: true; value: T } | { ok: false; isLocked: boolean; reason: string };

/** Checks the schema before asking, so that a renamed column is named rather than met half-way. */
export function checked<T>(ask: (database: ForeignDatabase) => T): (database: ForeignDatabase) => Read<T> {
  return (database) => {
    const reason = schemaFault(database);
    return reason === null ? { ok: true, value: ask(database) } : { ok: false, isLocked: false, reason };
  };
}

export function readOf<T>(answer: DatabaseAnswer<Read<T>>, path: string): Read<T> {
  if (!answer.ok) return { ok: false, isLocked: answer.fault === "locked", reason: answer.reason };
  const { value } = answer;
  return value.ok ? value : { ...value, reason: `${path}: ${value.reason}` };
}
