// What can be said of Xyne: that it is there, and in which conversation. Its log holds no sign of when it is written, so it
// never decides a state. Pure.
import type { SessionReport } from "@kolu/anyagent/plugin.ts";
import { NO_BACKGROUND } from "@kolu/contract/agent.ts";
import type { Conversation } from "@kolu/entry-log/fold.ts";
import type { Header } from "@kolu/entry-log/log-file.ts";

/** What a session's files hold now; `path` is null before there are any. */
export interface XyneFiles {
  path: string | null;
  found: boolean;
  header: Header | null;
  conversation: Conversation;
  title: string | null;
  malformedRecords: number;
}

export function judge(files: XyneFiles, startedAtMs: number | null): SessionReport {
  const { path, found, header, conversation } = files;
  const chosen = conversation.chosenModel;
  return {
    state: "waiting",
    source: "process",
    atMs: null,
    awaiting: null,
    unknownReason: null,
    error: null,
    sessionId: header?.sessionId ?? null,
    sessionPath: found ? path : null,
    version: null,
    model: chosen === null ? null : [chosen.provider, chosen.model].filter((word) => word !== null).join("/"),
    contextTokens: null,
    title: files.title,
    todos: null,
    background: NO_BACKGROUND,
    startedAtMs: header?.startedAtMs ?? startedAtMs,
    prompted: conversation.prompted,
    signals: [
      {
        source: "process",
        value: "it runs",
        state: "waiting",
        atMs: null,
        verdict: "won",
        note: "Xyne writes nothing that tells a turn from its end",
      },
      {
        source: "transcript",
        value: `newest: ${conversation.newest ?? "nothing said yet"}`,
        state: null,
        atMs: conversation.newestAtMs,
        verdict: "silent",
        note: null,
      },
    ],
    missing:
      path === null ? ["its session is not on disk (yet)"] : found ? [] : [`${path} is not there (any more)`],
    malformedRecords: files.malformedRecords,
    wantsScreen: false,
    holdsForMs: null,
  };
}
