// A conversation of Pi, whole: the file that the reading names, else the one of that id in the default store.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";
import { idInName } from "@kolu/entry-log/log-dir.ts";
import { readTranscriptOf } from "@kolu/entry-log/transcript.ts";
import { agentDirOf } from "./store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export async function readPiTranscript(
  { sessionId, sessionPath }: ConversationReference,
  overrides: Environment,
): Promise<Transcript | null> {
  const path = sessionPath ?? searchById(sessionId, overrides);
  return path === null ? null : readTranscriptOf(path, { agent: "pi", usage: "sum", title: null });
}

function searchById(id: string, overrides: Environment): string | null {
  const root = join(agentDirOf({ environ: {}, overrides, cwd: "/" }), "sessions");
  const path = listAll(root).find((name) => name.endsWith(".jsonl") && idInName(baseOf(name)) === id);
  return path === undefined ? null : join(root, path);
}

function listAll(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, encoding: "utf8" });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`cannot list ${root}`, { cause });
  }
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
