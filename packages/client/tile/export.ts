// A terminal's conversation as a file to keep: the same one that `kolu export` writes.
import { vocabOf } from "@kolu/agents/vocabs.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { TranscriptMode } from "@kolu/transcript/page.ts";
import { say, sayFailure } from "../canvas/notices.ts";
import { padi } from "../store/workspace.ts";
import { download } from "./download.ts";

/** A conversation that takes longer than this to come is said to be on its way. */
const SAID_AFTER_MS = 700;

/** Asks padi for the conversation, renders it here, and hands it to the browser's downloads. Failures are said. */
export async function exportTranscript({ id }: TerminalRecord, mode: TranscriptMode): Promise<void> {
  const slow = setTimeout(() => say("The transcript is being read."), SAID_AFTER_MS);
  try {
    // Loaded when it is wanted: most visits export nothing.
    const [transcript, { renderPage }, { pageFileName }] = await Promise.all([
      padi().call("transcript.read", { id }),
      import("@kolu/transcript/page.ts"),
      import("@kolu/transcript/file-name.ts"),
    ]);
    const options = {
      mode,
      agentName: vocabOf(transcript.agent)?.displayName ?? transcript.agent,
      exportedAtMs: Date.now(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    download(
      new Blob([renderPage(transcript, options)], { type: "text/html" }),
      pageFileName(transcript, options),
    );
  } catch (error) {
    sayFailure("The transcript could not be exported")(error);
  } finally {
    clearTimeout(slow);
  }
}
