// One database, many who ask: twenty terminals follow sessions in the same file, and each of its changes is news to all.
// Questions that come together are answered over one connection, and a burst of changes is read a few times, not at each.
import { statSync } from "node:fs";
import { askDatabase, type DatabaseAnswer, type ForeignDatabase } from "@kolu/anyagent/foreign-database.ts";

/** Opening and asking takes about a millisecond; the log changes up to a hundred times a second while an answer streams. */
const READ_GAP_MS = 50;

export interface BatchedReads {
  /** Answers with what the database held after this call. Never rejects. */
  ask<T>(question: (database: ForeignDatabase) => T): Promise<DatabaseAnswer<T>>;
}

interface Asked {
  question(database: ForeignDatabase): unknown;
  answer(answer: DatabaseAnswer<unknown>): void;
}

export function createBatchedReads(path: string): BatchedReads {
  let waiting: Asked[] = [];
  let readAtMs = 0;

  const readAll = (): void => {
    readAtMs = performance.now();
    const asked = waiting;
    waiting = [];
    const all = askDatabase(path, (database) => asked.map(({ question }) => question(database)));
    // One question that the database refuses is not the others' fault: each is asked on its own then.
    for (const [at, { question, answer }] of asked.entries()) {
      if (all.ok) answer({ ok: true, value: all.value[at] });
      else answer(asked.length === 1 || all.fault === "missing" ? all : askDatabase(path, question));
    }
  };

  return {
    ask: <T>(question: (database: ForeignDatabase) => T) =>
      new Promise<DatabaseAnswer<T>>((resolve) => {
        if (waiting.length === 0) {
          setTimeout(readAll, Math.max(0, readAtMs + READ_GAP_MS - performance.now()));
        }
        waiting.push({ question, answer: (answer) => resolve(answer as DatabaseAnswer<T>) });
      }),
  };
}

/** Two changes within a tick of the file system's clock (4 ms, 10 on old systems) have one time. */
const SAME_TIME_MS = 20;

/**
 * What the files of a database look like, for telling that nothing was written since: SQLite run by root sets the log's owner
 * at each opening, so that a reading alone causes a notice.
 * @returns null when they are too fresh for that, because a write that follows might look the same
 */
export function stampOf(path: string, nowMs: number): string | null {
  const stamps = [path, `${path}-wal`].map((file) => stampOfFile(file, nowMs));
  return stamps.includes(null) ? null : stamps.join(" ");
}

function stampOfFile(path: string, nowMs: number): string | null {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    const ageMs = nowMs - mtimeMs;
    return ageMs >= 0 && ageMs < SAME_TIME_MS ? null : `${ino}:${size}:${mtimeMs}`;
  } catch {
    // Not there, or not for us: the reading says which.
    return "-";
  }
}
