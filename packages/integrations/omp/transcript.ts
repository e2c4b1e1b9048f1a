// A conversation of Oh My Pi, whole, from the file that the reading names.
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";
import { readHead } from "@kolu/entry-log/log-file.ts";
import { readTranscriptOf } from "@kolu/entry-log/transcript.ts";
import { titleInSlot } from "./title-slot.ts";

/** Null without a path as well: an id alone does not tell which store, of all profiles and redirects, it lies in. */
export async function readOmpTranscript({ sessionPath }: ConversationReference): Promise<Transcript | null> {
  if (sessionPath === null) return null;
  return readTranscriptOf(sessionPath, {
    agent: "omp",
    usage: "sum",
    title: titleInSlot(readHead(sessionPath)),
  });
}
