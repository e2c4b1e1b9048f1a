// One thread, followed: its rollout file and its row in the thread database, whichever process writes them.
import { foldedFile } from "@kolu/anyagent/folded-file.ts";
import { followSession } from "@kolu/anyagent/followed-session.ts";
import type { AgentSession, SessionHost } from "@kolu/anyagent/plugin.ts";
import type { Locator } from "./find.ts";
import { backfill, foldLine, NO_THREAD } from "./fold.ts";
import { judge, type ThreadFiles } from "./judge.ts";
import type { ThreadRow } from "./records.ts";
import type { CodexStore } from "./store.ts";

const RULES = { empty: NO_THREAD, fold: foldLine, backfill };

export function followThread(locator: Locator, store: CodexStore, host: SessionHost): AgentSession {
  const { threadId, databasePath, processStartedAtMs } = locator;
  const walPath = `${databasePath}-wal`;
  let rollout: { path: string; file: ReturnType<typeof foldedFile<typeof NO_THREAD>> } | null = null;
  let row: ThreadRow | null = null;
  let databaseFault: string | null = null;

  /** The row that was read stands while the database cannot be read. */
  const readRow = (): void => {
    const read = store.threads(databasePath, { cwds: [], ids: [threadId] });
    databaseFault = read.kind === "unreadable" ? read.reason : null;
    if (read.kind === "read") row = keptIfSame(row, read.rows[0] ?? row);
    if (row !== null && row.rolloutPath !== rollout?.path) {
      rollout = { path: row.rolloutPath, file: foldedFile(row.rolloutPath, RULES) };
    }
  };

  const readAll = async (learned: (files: ThreadFiles) => void): Promise<ThreadFiles> => {
    if (row === null) readRow();
    const folded = await rollout?.file.read();
    const files = (): ThreadFiles => ({
      threadId,
      row,
      rolloutPath: rollout?.path ?? null,
      rolloutFound: folded?.found ?? false,
      thread: folded?.state ?? NO_THREAD,
      malformedRecords: folded?.malformedRecords ?? 0,
      databaseFault,
      processStartedAtMs,
    });
    // The state is in the rollout; the title may wait for the query.
    learned(files());
    readRow();
    return files();
  };

  return followSession(host, {
    name: `Codex thread ${threadId}`,
    initial: {
      threadId,
      row: null,
      rolloutPath: null,
      rolloutFound: false,
      thread: NO_THREAD,
      malformedRecords: 0,
      databaseFault: null,
      processStartedAtMs,
    },
    read: readAll,
    watchPaths: ({ rolloutPath }) => [databasePath, walPath, ...(rolloutPath === null ? [] : [rolloutPath])],
    judge,
  });
}

/** Rows are read anew each time; an unchanged one is no news. */
function keptIfSame(before: ThreadRow | null, next: ThreadRow | null): ThreadRow | null {
  return JSON.stringify(before) === JSON.stringify(next) ? before : next;
}
