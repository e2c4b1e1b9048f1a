// The conversation that a terminal's agent had, in the shape that all agents share.
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { AgentReading } from "@kolu/contract/agent.ts";
import { shortId } from "@kolu/contract/ids.ts";
import { TRANSCRIPT_MAX_BYTES } from "@kolu/contract/limits.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";
import { fitTranscript } from "../detect/fit-transcript.ts";
import type { TerminalStore } from "../terminals/store.ts";

export interface TranscriptWorld {
  store: TerminalStore;
  readTranscript(agentKind: string, reference: ConversationReference): Promise<Transcript | null>;
}

export function transcriptHandlers({
  store,
  readTranscript,
}: TranscriptWorld): Pick<Handlers<PadiContract>, "transcript.read"> {
  return {
    async "transcript.read"({ id }) {
      // After padi's restart the reading on disk stands in until the detector has spoken.
      const agent = store.require(id).agent ?? store.savedReading(id);
      if (agent === null) throw noAgent(id);
      const reference = referenceOf(agent);
      const transcript = reference && (await readTranscript(agent.kind, reference));
      if (!transcript) throw noTranscript(id, agent);
      const fitted = fitTranscript(transcript, TRANSCRIPT_MAX_BYTES);
      if (fitted === null) throw tooLarge(id);
      return fitted;
    },
  };
}

function referenceOf({ sessionId, sessionPath }: AgentReading): ConversationReference | null {
  return sessionId === null ? null : { sessionId, sessionPath };
}

function noAgent(id: string) {
  return refuse(
    "no-agent",
    { id },
    `No agent runs in terminal ${shortId(id)}, so there is no conversation to export. \`kolu explain ${shortId(id)}\` says what was looked for.`,
  );
}

function noTranscript(id: string, { kind, sessionId }: AgentReading) {
  const why =
    sessionId === null
      ? "Its session is not known (yet)"
      : `The file of its session ${sessionId} is not there: it comes with the first prompt, and the agent may have removed it`;
  return refuse(
    "no-transcript",
    { id, agent: kind },
    `The agent in terminal ${shortId(id)} has no conversation to read. ${why}.`,
  );
}

function tooLarge(id: string) {
  const limitBytes = TRANSCRIPT_MAX_BYTES;
  return refuse(
    "transcript-too-large",
    { id, limitBytes },
    `What was said in terminal ${shortId(id)} takes more than ${limitBytes / 1024 / 1024} MiB even without what tools read and printed.`,
  );
}
