// A conversation of Xyne, whole: the file that the reading names, else the one of that id in the default store.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";
import { readTranscriptOf } from "@kolu/entry-log/transcript.ts";
import { readTitle } from "./session.ts";
import { parseName, rootOf, sessionsDirOf, sidecarOf } from "./store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export async function readXyneTranscript(
  { sessionId, sessionPath }: ConversationReference,
  overrides: Environment,
): Promise<Transcript | null> {
  const path = sessionPath ?? searchById(sessionId, overrides);
  if (path === null) return null;
  return readTranscriptOf(path, {
    agent: "xyne",
    // The newest answer's counts are those that it shows itself.
    usage: "newest",
    title: readTitle(sidecarOf(path)),
    modelFrom: "choices",
  });
}

function searchById(id: string, overrides: Environment): string | null {
  const root = sessionsDirOf(rootOf({}, overrides));
  for (const dir of list(root)) {
    const name = list(join(root, dir)).find((one) => parseName(one)?.id === id);
    if (name !== undefined) return join(root, dir, name);
  }
  return null;
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new Error(`cannot list ${dir}`, { cause });
  }
}
