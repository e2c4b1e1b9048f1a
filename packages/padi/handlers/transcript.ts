// The conversation that a terminal's agent had, in the shape that all agents share.
import { shortId } from "@kolu/contract/ids.ts";
import { TRANSCRIPT_MAX_BYTES } from "@kolu/contract/limits.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { conversationIn, type MeantConversation } from "../detect/conversation.ts";
import { fitTranscript } from "../detect/fit-transcript.ts";
import { fitWindow } from "../detect/transcript-window.ts";
import type { ReadTranscriptOf } from "../detect/transcripts.ts";
import type { TerminalStore } from "../terminals/store.ts";

export interface TranscriptWorld {
  store: TerminalStore;
  readTranscript: ReadTranscriptOf;
}

export function transcriptHandlers({
  store,
  readTranscript,
}: TranscriptWorld): Pick<Handlers<PadiContract>, "transcript.read"> {
  return {
    async "transcript.read"({ id, maxBytes = TRANSCRIPT_MAX_BYTES, ...window }) {
      const meant = conversationIn(store.require(id), store);
      if (meant === null) throw noAgent(id);
      const { agent, sessionId, sessionPath } = meant;
      const transcript = sessionId && (await readTranscript(agent, { sessionId, sessionPath }));
      if (!transcript) throw noTranscript(id, meant);
      // Whoever asks for all of it is not given a part unasked.
      const isPart = maxBytes < TRANSCRIPT_MAX_BYTES || Object.keys(window).length > 0;
      const fitted = isPart
        ? fitWindow(transcript, window, maxBytes)
        : fitTranscript(transcript, TRANSCRIPT_MAX_BYTES);
      if (fitted === null) throw tooLarge(id, maxBytes, isPart);
      return fitted;
    },
  };
}

function noAgent(id: string) {
  return refuse(
    "no-agent",
    { id },
    `No agent runs in terminal ${shortId(id)} or was seen there with a conversation, so there is none to read. \`kolu explain ${shortId(id)}\` says what was looked for.`,
  );
}

function noTranscript(id: string, { agent, sessionId }: MeantConversation) {
  const why =
    sessionId === null
      ? "Its session is not known (yet)"
      : `The file of its session ${sessionId} is not there: it comes with the first prompt, and the agent may have removed it`;
  return refuse(
    "no-transcript",
    { id, agent },
    `The agent in terminal ${shortId(id)} has no conversation to read. ${why}.`,
  );
}

function tooLarge(id: string, limitBytes: number, isPart: boolean) {
  const what = isPart
    ? `The newest of these items in terminal ${shortId(id)}`
    : `What was said in terminal ${shortId(id)}`;
  const howTo = isPart ? " Give a larger maxBytes." : "";
  return refuse(
    "transcript-too-large",
    { id, limitBytes },
    `${what} takes more than ${Math.ceil(limitBytes / 1024)} KiB even without what tools read and printed.${howTo}`,
  );
}
