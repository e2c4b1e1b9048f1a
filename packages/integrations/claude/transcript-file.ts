// A conversation's file and the name beside it, read once from start to end. What its entries mean is transcript.ts.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import { readLines } from "@kolu/anyagent/whole-file.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";
import { readText, titlePathOf } from "./conversation.ts";
import { placesOf } from "./find.ts";
import { parseTitleFile } from "./records.ts";
import { foldTranscript } from "./transcript.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Null when the conversation's file is not there (any more): old ones are removed in time.
 * @param env kolu's own environment: it says where to look when the reading told no path
 * @throws when a file is there and cannot be read
 */
export async function readClaudeTranscript(
  { sessionId, sessionPath }: ConversationReference,
  env: Env,
): Promise<Transcript | null> {
  const paths = sessionPath === null ? await pathsByName(sessionId, env) : [sessionPath];
  for (const path of paths) {
    const fold = foldTranscript();
    const read = await readLines(path, fold.add);
    if (read === null) continue;
    const title = readText(titlePathOf(path));
    const titleFromFile = title === null ? null : parseTitleFile(title);
    return fold.finish({ sessionId, titleFromFile, skippedLines: read.skippedLines });
  }
  return null;
}

/** Where a conversation of that id may lie: in any project's directory. An id that is no file's name lies nowhere. */
async function pathsByName(sessionId: string, env: Env): Promise<string[]> {
  if (!/^[\w-]+$/.test(sessionId)) return [];
  const { projectsDir } = placesOf(env, env);
  const projects = await readdir(projectsDir).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return [];
    throw new Error(`cannot list ${projectsDir}`, { cause });
  });
  return projects.map((project) => join(projectsDir, project, `${sessionId}.jsonl`));
}
