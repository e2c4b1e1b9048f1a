// A thread database as Codex 0.171.0 keeps it, with the columns of use, for tests.

export const THREADS_TABLE = `CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, source TEXT NOT NULL, cwd TEXT NOT NULL, title TEXT NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0, cli_version TEXT NOT NULL DEFAULT '', first_user_message TEXT NOT NULL DEFAULT '',
  model TEXT, created_at_ms INTEGER, updated_at_ms INTEGER, thread_source TEXT, name TEXT)`;
/** As releases before 0.171.0 had it: no milliseconds, no names. */
export const OLD_THREADS_TABLE = `CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, source TEXT NOT NULL, cwd TEXT NOT NULL, title TEXT NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0)`;
export const LOGS_TABLE = `CREATE TABLE logs (id INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER NOT NULL,
  ts_nanos INTEGER NOT NULL, target TEXT NOT NULL, thread_id TEXT, process_uuid TEXT)`;

export interface TestThread {
  id: string;
  cwd?: string;
  createdAtMs: number;
  updatedAtMs?: number;
  title?: string;
  archived?: boolean;
  source?: string;
  rolloutPath?: string;
}

/** Columns and values for an INSERT into the table of either age. */
export function threadValues(
  thread: TestThread,
  isOld = false,
): { columns: string[]; values: (string | number)[] } {
  const updatedAtMs = thread.updatedAtMs ?? thread.createdAtMs;
  const value: Record<string, string | number> = {
    id: thread.id,
    rollout_path: thread.rolloutPath ?? `/rollouts/${thread.id}.jsonl`,
    created_at: Math.floor(thread.createdAtMs / 1_000),
    updated_at: Math.floor(updatedAtMs / 1_000),
    source: thread.source ?? "vscode",
    cwd: thread.cwd ?? "/p",
    title: thread.title ?? "a title",
    archived: thread.archived ? 1 : 0,
    ...(isOld
      ? {}
      : { created_at_ms: thread.createdAtMs, updated_at_ms: updatedAtMs, cli_version: "0.171.0" }),
  };
  return { columns: Object.keys(value), values: Object.values(value) };
}
