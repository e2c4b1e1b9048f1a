// One session of OpenCode, followed: its rows are read again after every change of the database's log.
import { followSession } from "@kolu/anyagent/followed-session.ts";
import type { AgentSession, SessionHost } from "@kolu/anyagent/plugin.ts";
import { type BatchedReads, stampOf } from "./batched-reads.ts";
import type { Locator } from "./find.ts";
import { foldRows, NO_CONVERSATION } from "./fold.ts";
import { judge, type OpencodeFacts } from "./judge.ts";
import { checked, readOf, readSession, type SessionReading } from "./store.ts";

/** A locked database is read again after this: the end of a lock need not change the file. */
const RETRY_MS = 250;

export function openSession(locator: Locator, reads: BatchedReads, host: SessionHost): AgentSession {
  const { databasePath, sessionId, processStartedAtMs } = locator;
  let retry: NodeJS.Timeout | null = null;
  let last: OpencodeFacts = {
    sessionId,
    databasePath,
    processStartedAtMs,
    session: null,
    conversation: NO_CONVERSATION,
    todos: null,
    malformedRecords: 0,
    fault: null,
  };

  let readStamp: string | null = null;
  const read = async (): Promise<OpencodeFacts> => {
    const stamp = stampOf(databasePath, Date.now());
    if (stamp !== null && stamp === readStamp) return last;
    const asked = await reads.ask(checked((database) => readSession(database, sessionId)));
    const answer = readOf(asked, databasePath);
    readStamp = stamp;
    if (answer.ok) last = withReading(last, answer.value);
    else {
      if (answer.isLocked) retrySoon();
      last = { ...last, fault: `${answer.reason}; what was read before stands` };
    }
    return last;
  };
  const retrySoon = () => {
    retry ??= setTimeout(() => {
      retry = null;
      readStamp = null;
      void session.refresh();
    }, RETRY_MS);
  };

  const session = followSession<OpencodeFacts>(host, {
    name: `session ${sessionId} of ${databasePath}`,
    initial: last,
    read,
    watchPaths: () => [databasePath, `${databasePath}-wal`],
    judge,
    close: () => {
      if (retry !== null) clearTimeout(retry);
    },
  });
  return session;
}

/** A fact that did not change stays the same object: every change of the log is read, and few are of this session. */
function withReading(before: OpencodeFacts, reading: SessionReading): OpencodeFacts {
  const { sessionId, databasePath } = before;
  if (reading.session === null && before.session !== null) {
    // Deleted elsewhere: the terminal still shows the conversation.
    const fault = `session ${sessionId} is not in ${databasePath} any more; what was read before stands`;
    return { ...before, fault };
  }
  return {
    ...before,
    session: same(before.session, reading.session),
    conversation: same(before.conversation, foldRows(reading)),
    todos: same(before.todos, reading.todos),
    malformedRecords: reading.malformedRecords,
    fault: null,
  };
}

function same<T>(before: T, after: T): T {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}
