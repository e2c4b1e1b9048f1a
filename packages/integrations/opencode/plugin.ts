// OpenCode for the kernel: the only export of this folder that others see, besides its vocabulary.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { type BatchedReads, createBatchedReads, stampOf } from "./batched-reads.ts";
import { readOpencodeComposer } from "./composer.ts";
import { DATABASE_KEY, databasePathOf, findSessions, type ListSessions, type Locator } from "./find.ts";
import type { SessionRow } from "./records.ts";
import { readOpencodeScreen } from "./screen.ts";
import { openSession } from "./session.ts";
import { checked, listSessions, type Read, readOf } from "./store.ts";
import { readTranscriptOf } from "./transcript.ts";
import { opencodeVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override key is read from it, and where the default database is */
export function opencodePlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  const databases = new Map<string, BatchedReads>();
  const readsOf = (path: string): BatchedReads => {
    const reads = databases.get(path) ?? createBatchedReads(path);
    databases.set(path, reads);
    return reads;
  };
  const list = cachedList((path, wanted) =>
    readsOf(path)
      .ask(checked((database) => listSessions(database, wanted)))
      .then((answer) => readOf(answer, path)),
  );
  return {
    vocab: opencodeVocab,
    envKeys: [DATABASE_KEY],
    moveSigns: ["title"],
    sharesOneFile: true,
    find: (search) => findSessions(search, env, list),
    open: (candidate, host) => {
      const locator = JSON.parse(candidate.locator) as Locator;
      return openSession(locator, readsOf(locator.databasePath), host);
    },
    readScreen: readOpencodeScreen,
    readComposer: readOpencodeComposer,
    readTranscript: async ({ sessionId, sessionPath }) => {
      const path = sessionPath ?? databasePathOf(env, env);
      return path === null ? null : readTranscriptOf(path, sessionId);
    },
  };
}

/** An agent without a session is searched for each second: while the files are the same, so is the answer. */
function cachedList(list: ListSessions): ListSessions {
  const answers = new Map<string, { stamp: string; read: Read<SessionRow[]> }>();
  return async (path, wanted) => {
    // Taken before the reading: a change during it makes the next one read again.
    const stamp = stampOf(path, Date.now());
    const key = JSON.stringify([path, wanted]);
    const known = answers.get(key);
    if (stamp !== null && known?.stamp === stamp) return known.read;
    const read = await list(path, wanted);
    // What may pass by itself (a lock) is asked again; a directory that nobody asks for any more is forgotten with the rest.
    if (answers.size >= CACHED_LISTS_MAX) answers.clear();
    if (read.ok && stamp !== null) answers.set(key, { stamp, read });
    return read;
  };
}

const CACHED_LISTS_MAX = 64;
