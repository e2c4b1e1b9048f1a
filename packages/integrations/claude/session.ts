// One process of Claude Code, followed: its status file, and the files of whichever conversation that names at the time.
import { setTimeout as sleep } from "node:timers/promises";
import { followSession } from "@kolu/anyagent/followed-session.ts";
import type { AgentSession, SessionHost } from "@kolu/anyagent/plugin.ts";
import { ConversationFiles, conversationPaths, NO_FACTS, readText } from "./conversation.ts";
import type { ClaudePlaces } from "./find.ts";
import { type ClaudeFiles, judge } from "./judge.ts";
import { parseStatusFile, type StatusFile } from "./records.ts";

/** A file that is just being rewritten is read again after this. */
const HALF_WRITTEN_RETRY_MS = 20;

export function followProcess(statusPath: string, places: ClaudePlaces, host: SessionHost): AgentSession {
  let text: string | null = null;
  let status: StatusFile | null = null;
  let statusSeenAtMs = 0;
  let conversation: ConversationFiles | null = null;

  /** The last whole status stands: through a rewrite that is met half-way, and through the removal a moment before the
   * process ends. */
  const readStatus = (): "whole" | "half-written" => {
    const next = readText(statusPath);
    if (next === null || next === text) return "whole";
    const parsed = parseStatusFile(next);
    if (parsed === null) return "half-written";
    text = next;
    status = parsed;
    statusSeenAtMs = Date.now();
    return "whole";
  };

  const files = (): ClaudeFiles => ({
    statusPath,
    status,
    statusSeenAtMs,
    ...(conversation?.facts ?? NO_FACTS),
  });

  const readAll = async (learned: (files: ClaudeFiles) => void): Promise<ClaudeFiles> => {
    // Still half-written then: its next notice brings it.
    if (readStatus() === "half-written") {
      await sleep(HALF_WRITTEN_RETRY_MS);
      readStatus();
    }
    if (status === null) return files();
    if (conversation?.isOf(status) !== true) conversation = new ConversationFiles(status, places);
    // Most of what there is to know, from one small file: not kept waiting for the others.
    else learned(files());
    await conversation.read();
    return files();
  };

  return followSession<ClaudeFiles>(host, {
    name: `the session of ${statusPath}`,
    initial: files(),
    read: readAll,
    watchPaths: (facts) => [statusPath, ...conversationPaths(facts.status, facts, places)],
    judge,
  });
}
