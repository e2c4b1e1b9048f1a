// One process of Oh My Pi, followed: its breadcrumb, and the log of whichever session that names at the time.
import { readFileSync, statSync } from "node:fs";
import { followSession } from "@kolu/anyagent/followed-session.ts";
import type { AgentSession, Candidate, SessionHost } from "@kolu/anyagent/plugin.ts";
import { NO_CONVERSATION } from "@kolu/entry-log/fold.ts";
import { conversationFile, type Header, headerIn, readHead } from "@kolu/entry-log/log-file.ts";
import { type Breadcrumb, parseBreadcrumb } from "./breadcrumb.ts";
import { NO_SESSION } from "./find.ts";
import { judge, type OmpFiles } from "./judge.ts";
import { titleInSlot } from "./title-slot.ts";

/** Process starts are known within a second; a breadcrumb is written about a second after the start. */
const START_SLACK_MS = 1_000;

interface Log {
  path: string;
  file: ReturnType<typeof conversationFile>;
  header: Header | null;
}

export function openSession({ locator, process }: Candidate, host: SessionHost): AgentSession {
  const breadcrumbPath = locator === NO_SESSION ? null : locator;
  const startedAtMs = process?.startedAtMs ?? null;
  let crumb: Breadcrumb | null = null;
  let log: Log | null = null;

  const readCrumb = (): void => {
    if (breadcrumbPath === null) return;
    const text = readOwnCrumb(breadcrumbPath, startedAtMs);
    // The last whole one stands through a rewrite that is met half-way.
    crumb = (text === null ? null : parseBreadcrumb(text)) ?? crumb;
  };

  const logOf = (path: string): Log => {
    if (log?.path !== path) log = { path, file: conversationFile(path), header: null };
    return log;
  };

  return followSession<OmpFiles>(host, {
    name: `the session of ${breadcrumbPath ?? "a process that keeps none"}`,
    initial: {
      breadcrumbPath,
      sessionPath: null,
      found: false,
      header: null,
      conversation: NO_CONVERSATION,
      title: null,
      malformedRecords: 0,
    },
    read: async () => {
      readCrumb();
      const path = crumb?.sessionPath ?? null;
      const none = {
        found: false,
        header: null,
        conversation: NO_CONVERSATION,
        title: null,
        malformedRecords: 0,
      };
      if (path === null) return { breadcrumbPath, sessionPath: path, ...none };
      const own = logOf(path);
      const { state: conversation, found, malformedRecords } = await own.file.read();
      const head = found ? readHead(path) : "";
      own.header ??= headerIn(head);
      const title = titleInSlot(head);
      return {
        breadcrumbPath,
        sessionPath: path,
        found,
        header: own.header,
        conversation,
        title,
        malformedRecords,
      };
    },
    watchPaths: ({ sessionPath }) => [breadcrumbPath, sessionPath].filter((path) => path !== null),
    judge: (files, live) => judge(files, startedAtMs, live),
  });
}

/** Null when it is not there, or was left by an earlier program of a terminal with this name. */
function readOwnCrumb(path: string, startedAtMs: number | null): string | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  if (startedAtMs !== null && facts.mtimeMs < startedAtMs - START_SLACK_MS) return null;
  return readFileSync(path, "utf8");
}
