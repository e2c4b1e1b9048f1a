// SQLite databases of other programs, read without leaving a trace: read-only, one short statement at a time, no held
// transaction. The only place in the kernel that knows SQLite.
import { existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** Their writer must not be kept waiting, nor we by it: a locked database is read again at its next change. */
const BUSY_TIMEOUT_MS = 50;

export type ForeignRow = Readonly<Record<string, unknown>>;

export interface ForeignDatabase {
  all(sql: string, ...values: SQLInputValue[]): ForeignRow[];
  /** Column names of a table; empty when there is no such table. */
  columns(table: string): ReadonlySet<string>;
}

/** Why a database of another program could not be read. `missing` is everyday; the others are for the explanation. */
export type DatabaseFault = "missing" | "locked" | "schema" | "unreadable";

export type DatabaseAnswer<T> = { ok: true; value: T } | { ok: false; fault: DatabaseFault; reason: string };

/**
 * Opens, asks, closes. A write-ahead log beside the file means that its owner lives or was killed: then its index is
 * there as well and reading makes no file. Without one the main file is whole and is opened as immutable, because a plain
 * read-only open would leave `-wal` and `-shm` files behind.
 */
export function askDatabase<T>(path: string, ask: (database: ForeignDatabase) => T): DatabaseAnswer<T> {
  if (!existsSync(path)) return { ok: false, fault: "missing", reason: `${path} is not there` };
  let database: DatabaseSync | null = null;
  try {
    const url = pathToFileURL(path);
    if (!existsSync(`${path}-wal`)) url.searchParams.set("immutable", "1");
    database = new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    return { ok: true, value: ask(faceOf(database)) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { ok: false, fault: faultOf(cause), reason: `${path}: ${reason}` };
  } finally {
    database?.close();
  }
}

/** Statements and columns are kept for as long as the connection, which is one asking: many sessions may be asked for. */
function faceOf(database: DatabaseSync): ForeignDatabase {
  const statements = new Map<string, StatementSync>();
  const columns = new Map<string, ReadonlySet<string>>();
  const all: ForeignDatabase["all"] = (sql, ...values) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement.all(...values) as ForeignRow[];
  };
  return {
    all,
    columns: (table) => {
      const known = columns.get(table);
      if (known !== undefined) return known;
      const rows = all("SELECT name FROM pragma_table_info(?)", table);
      const names = new Set(rows.map((row) => String(row.name)));
      columns.set(table, names);
      return names;
    },
  };
}

/** SQLite's primary result codes (sqlite.org/rescode.html): 5 BUSY, 6 LOCKED, 1 ERROR (no such table or column). */
function faultOf(cause: unknown): DatabaseFault {
  const code = (cause as { errcode?: number }).errcode;
  if (code === undefined) return "unreadable";
  if ((code & 0xff) === 5 || (code & 0xff) === 6) return "locked";
  return (code & 0xff) === 1 ? "schema" : "unreadable";
}
