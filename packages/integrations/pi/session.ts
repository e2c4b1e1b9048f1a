// One session of Pi, followed: the log is all there is on disk.
import { followSession } from "@kolu/anyagent/followed-session.ts";
import type { AgentSession, Candidate, SessionHost } from "@kolu/anyagent/plugin.ts";
import { NO_CONVERSATION } from "@kolu/entry-log/fold.ts";
import { conversationFile, readHeader } from "@kolu/entry-log/log-file.ts";
import { judge, type PiFiles } from "./judge.ts";

export function openSession({ locator: path, process }: Candidate, host: SessionHost): AgentSession {
  const startedAtMs = process?.startedAtMs ?? null;
  const log = conversationFile(path);
  let header: PiFiles["header"] = null;
  return followSession<PiFiles>(host, {
    name: `the session ${path}`,
    initial: { path, found: false, header: null, conversation: NO_CONVERSATION, malformedRecords: 0 },
    read: async () => {
      const { state: conversation, found, malformedRecords } = await log.read();
      header ??= readHeader(path);
      return { path, found, header, conversation, malformedRecords };
    },
    watchPaths: () => [path],
    judge: (files, live) => judge(files, startedAtMs, live),
  });
}
