// Codex's stores, read at most once per change: the thread database, the capability files, the log. What was read stands while
// a database is locked, so that a busy moment does not cost a terminal its thread.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { askDatabase, type DatabaseAnswer } from "@kolu/anyagent/foreign-database.ts";
import { type Connection, type Opening, pairUp, SAME_MOMENT_MS } from "./anchors.ts";
import { NEEDED_COLUMNS, type ThreadRow, threadOf, USED_COLUMNS } from "./records.ts";
import { THREAD_ID } from "./vocab.ts";

/** A process writes its log lines in batches, up to this long after the fact (8 s observed on 0.171.0). */
export const LOGGED_WITHIN_MS = 20_000;
/** Answers that are kept, by their question: one for each open thread and each search of a terminal. The oldest goes. */
const ANSWERS_MAX = 128;
/** Threads of one directory that are offered: a person does not have more open. */
const ROWS_MAX = 50;

export type ThreadsRead = { kind: "read"; rows: ThreadRow[] } | { kind: "unreadable"; reason: string };

export interface CodexStore {
  /** The newest threads of these directories, and those with these ids, wherever they were. */
  threads(databasePath: string, where: { cwds: readonly string[]; ids: readonly string[] }): ThreadsRead;
  /** Capability files, oldest first; null when this release has none. */
  openings(capabilitiesDir: string): Opening[] | null;
  /** The pid that opened each thread, null where the log does not tell (yet, or any more). */
  openedBy(logsPath: string, openings: readonly Opening[]): Map<Opening, number | null>;
}

export function createStore(): CodexStore {
  const threadsRead = new Map<string, { signature: string; read: ThreadsRead }>();
  // The log forgets: what it once told is kept. One entry for each thread that was opened under our eyes.
  const openers = new Map<string, number>();
  const searched = new Map<string, string>();

  /** Once per state of the log: to open a database is itself a change that whoever watches it is told of (SQLite hands the
   * log's ownership on when it runs as root). */
  const newConnections = (logsPath: string, unknown: readonly Opening[]): Connection[] => {
    if (unknown.length === 0) return [];
    const question = JSON.stringify([logsPath, unknown]);
    const signature = signatureOf(logsPath);
    if (searched.get(question) === signature) return [];
    keep(searched, question, signature);
    return connectionsNear(logsPath, unknown);
  };

  return {
    threads: (databasePath, where) => {
      const key = JSON.stringify([databasePath, where]);
      const signature = signatureOf(databasePath);
      const before = threadsRead.get(key);
      if (before?.signature === signature && before.read.kind === "read") return before.read;
      const answer = queryThreads(databasePath, where);
      if (!answer.ok && answer.fault === "locked" && before?.read.kind === "read") return before.read;
      const read: ThreadsRead = answer.ok
        ? { kind: "read", rows: answer.value }
        : { kind: "unreadable", reason: reasonOf(answer) };
      keep(threadsRead, key, { signature, read });
      return read;
    },
    openings: (capabilitiesDir) => listOpenings(capabilitiesDir),
    openedBy: (logsPath, openings) => {
      const keyOf = (opening: Opening) => `${logsPath}\n${opening.threadId}\n${opening.atMs}`;
      const unknown = openings.filter((opening) => !openers.has(keyOf(opening)));
      for (const [opening, { pid }] of pairUp(unknown, newConnections(logsPath, unknown))) {
        openers.set(keyOf(opening), pid);
      }
      return new Map(openings.map((opening) => [opening, openers.get(keyOf(opening)) ?? null]));
    },
  };
}

function keep<T>(answers: Map<string, T>, question: string, answer: T): void {
  answers.delete(question);
  answers.set(question, answer);
  const [oldest] = answers.keys();
  if (answers.size > ANSWERS_MAX && oldest !== undefined) answers.delete(oldest);
}

function reasonOf(answer: Extract<DatabaseAnswer<unknown>, { ok: false }>): string {
  switch (answer.fault) {
    case "missing":
      return `${answer.reason}: it is made when Codex starts`;
    case "locked":
      return `${answer.reason} (it is read again at its next change)`;
    case "schema":
      return `${answer.reason}: its tables are not those that kolu knows; KOLU_CODEX_DB can name another database`;
    case "unreadable":
      return answer.reason;
    default:
      return answer.fault satisfies never;
  }
}

/** The log beside it changes without growing: its time counts, not its size. */
function signatureOf(path: string): string {
  return [path, `${path}-wal`]
    .map((one) => {
      const facts = statSync(one, { throwIfNoEntry: false });
      return facts === undefined ? "-" : `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
    })
    .join(" ");
}

function queryThreads(
  path: string,
  { cwds, ids }: { cwds: readonly string[]; ids: readonly string[] },
): DatabaseAnswer<ThreadRow[]> {
  const answer = askDatabase<ThreadRow[] | string>(path, (database) => {
    const there = database.columns("threads");
    const absent = NEEDED_COLUMNS.filter((name) => !there.has(name));
    if (absent.length > 0) return `${path}: the table "threads" has no column ${absent.join(", ")}`;
    const columns = USED_COLUMNS.filter((name) => there.has(name));
    const order = ["updated_at_ms", "updated_at"].find((name) => there.has(name)) ?? "id";
    const marks = (values: readonly string[]) => values.map(() => "?").join(", ");
    const sql = `SELECT ${columns.join(", ")} FROM threads
      WHERE (archived = 0 AND cwd IN (${marks(cwds)})) OR id IN (${marks(ids)}) ORDER BY ${order} DESC LIMIT ${ROWS_MAX}`;
    return database
      .all(sql, ...cwds, ...ids)
      .map(threadOf)
      .filter((row) => row !== null);
  });
  if (answer.ok && typeof answer.value === "string")
    return { ok: false, fault: "schema", reason: answer.value };
  return answer as DatabaseAnswer<ThreadRow[]>;
}

function listOpenings(dir: string): Opening[] | null {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch {
    return null;
  }
  return names
    .filter((name) => THREAD_ID.test(name))
    .flatMap((threadId) => {
      const facts = statSync(join(dir, threadId), { throwIfNoEntry: false });
      return facts === undefined ? [] : [{ threadId, atMs: facts.mtimeMs }];
    })
    .sort((left, right) => left.atMs - right.atMs);
}

/** Written by the terminal program each time that the server connects to it for a thread, as its MCP client. */
const CONNECTION_TARGET = "rmcp::transport::streamable_http_server::session::local";
/** `pid:<pid>:<uuid>` */
const PROCESS = /^pid:(\d+):/;

/** A log that cannot be read tells nothing: then threads are told apart by time alone. */
function connectionsNear(logsPath: string, openings: readonly Opening[]): Connection[] {
  const answer = askDatabase(logsPath, (database) =>
    openings.flatMap(({ atMs }) =>
      database.all(
        "SELECT ts, ts_nanos, process_uuid FROM logs WHERE ts BETWEEN ? AND ? AND target = ?",
        Math.floor((atMs - SAME_MOMENT_MS) / 1_000),
        Math.ceil((atMs + SAME_MOMENT_MS) / 1_000),
        CONNECTION_TARGET,
      ),
    ),
  );
  if (!answer.ok) return [];
  const found = new Map<string, Connection>();
  for (const row of answer.value) {
    const pid = PROCESS.exec(String(row.process_uuid))?.[1];
    const atMs = Number(row.ts) * 1_000 + Number(row.ts_nanos) / 1e6;
    if (pid !== undefined && Number.isFinite(atMs)) found.set(`${pid} ${atMs}`, { pid: Number(pid), atMs });
  }
  return [...found.values()];
}
