// The conversation, to read beside the terminal: its newest part, followed while the agent goes on.
import { vocabOf } from "@kolu/agents/vocabs.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { ReadTranscript } from "@kolu/contract/transcript.ts";
import { conversationHtml } from "@kolu/transcript/conversation-html.ts";
import { clockIn } from "@kolu/transcript/times.ts";
import { type JSX, useEffect, useMemo, useState } from "react";
import { padi, useWorkspace } from "../../store/workspace.ts";
import { Icon } from "../../theme/icon.tsx";
import css from "../reading.css?inline";
import { ShadowHtml } from "../shadow-html.tsx";

/** What is read at once; more by a click. */
const ITEMS_FIRST = 120;
const MAX_BYTES = 1024 * 1024;

export function TranscriptView({ record, onBack }: { record: TerminalRecord; onBack(): void }): JSX.Element {
  const [wanted, setWanted] = useState(ITEMS_FIRST);
  const { transcript, failure } = useTranscript(record, wanted);
  const left = transcript?.firstIndex ?? 0;
  return (
    <div className="transcript">
      <div className="transcript-head">
        <button type="button" className="icon-button" aria-label="Back to the inspector" onClick={onBack}>
          <Icon name="back" />
        </button>
        <strong>Conversation</strong>
        {left > 0 && (
          <button type="button" className="link-button" onClick={() => setWanted(wanted * 4)}>
            {left} earlier
          </button>
        )}
      </div>
      {failure !== null && <p className="transcript-failure">{failure}</p>}
      {transcript && <Conversation transcript={transcript} />}
      {!transcript && failure === null && <p className="panel-empty">The conversation is being read.</p>}
    </div>
  );
}

function useTranscript(
  record: TerminalRecord,
  last: number,
): { transcript: ReadTranscript | null; failure: string | null } {
  const [read, setRead] = useState<{ transcript: ReadTranscript | null; failure: string | null }>({
    transcript: null,
    failure: null,
  });
  const live = useWorkspace(({ link }) => link.kind === "live");
  const { id, agent, lastActivityAtMs, busy } = record;
  const cause = [agent?.sessionId, agent?.state, agent?.sinceMs, busy, lastActivityAtMs].join(" ");
  // The cause is the reason to read again, not an input
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    padi()
      .call("transcript.read", { id, last, maxBytes: MAX_BYTES }, { signal: abort.signal })
      .then(
        (transcript) => setRead({ transcript, failure: null }),
        (error: Error) => {
          if (!abort.signal.aborted) setRead(({ transcript }) => ({ transcript, failure: error.message }));
        },
      );
    return () => abort.abort();
  }, [id, live, last, cause]);
  return read;
}

function Conversation({ transcript }: { transcript: ReadTranscript }): JSX.Element {
  const html = useMemo(
    () =>
      conversationHtml(transcript.items, {
        mode: "full",
        agentName: vocabOf(transcript.agent)?.displayName ?? transcript.agent,
        cwd: transcript.cwd,
        clock: clockIn(Intl.DateTimeFormat().resolvedOptions().timeZone),
      }),
    [transcript],
  );
  return <ShadowHtml html={html} css={css} label="Conversation" className="transcript-text" followEnd />;
}
