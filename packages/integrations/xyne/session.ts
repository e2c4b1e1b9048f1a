// One session of Xyne, followed: its log for the model, the sidecar beside it for the title.
import { readFileSync } from "node:fs";
import { followSession } from "@kolu/anyagent/followed-session.ts";
import { nonBlank, parseObject } from "@kolu/anyagent/lenient.ts";
import type { AgentSession, Candidate, SessionHost } from "@kolu/anyagent/plugin.ts";
import { NO_CONVERSATION } from "@kolu/entry-log/fold.ts";
import { conversationFile, readHeader } from "@kolu/entry-log/log-file.ts";
import { NO_FILE } from "./find.ts";
import { judge, type XyneFiles } from "./judge.ts";
import { sidecarOf } from "./store.ts";

const NOTHING: XyneFiles = {
  path: null,
  found: false,
  header: null,
  conversation: NO_CONVERSATION,
  title: null,
  malformedRecords: 0,
};

export function openSession({ locator, process }: Candidate, host: SessionHost): AgentSession {
  const startedAtMs = process?.startedAtMs ?? null;
  const path = locator === NO_FILE ? null : locator;
  const log = path === null ? null : conversationFile(path);
  let header: XyneFiles["header"] = null;
  return followSession<XyneFiles>(host, {
    name: `the session ${path ?? "that is not on disk yet"}`,
    initial: { ...NOTHING, path },
    read: async () => {
      if (path === null || log === null) return NOTHING;
      const { state: conversation, found, malformedRecords } = await log.read();
      header ??= readHeader(path);
      return { path, found, header, conversation, title: readTitle(sidecarOf(path)), malformedRecords };
    },
    watchPaths: () => (path === null ? [] : [path, sidecarOf(path)]),
    judge: (files) => judge(files, startedAtMs),
  });
}

/** Null while there is no sidecar, or it is met half-written; its next notice follows. */
export function readTitle(sidecar: string): string | null {
  try {
    return nonBlank(parseObject(readFileSync(sidecar, "utf8"))?.title);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`cannot read ${sidecar}`, { cause });
  }
}
