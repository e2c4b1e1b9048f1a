// The comments that wait: look at them, take some back, send the rest to the agent as one prompt.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, useState } from "react";
import { brandOf } from "../../marks/brand.ts";
import { Icon } from "../../theme/icon.tsx";
import { type Outcome, sendPrompt } from "../prompting.ts";
import { openFile } from "./code-store.ts";
import { dropComments, placeWords, promptOf, useCommentsOf } from "./comments.ts";

export function CommentTray({ root, record }: { root: string; record: TerminalRecord }): JSX.Element | null {
  const comments = useCommentsOf(root);
  const [shown, setShown] = useState(false);
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { agent } = record;
  if (comments.length === 0 && outcome === null) return null;

  async function send(): Promise<void> {
    setSending(true);
    setOutcome(null);
    const sent = comments.map(({ id }) => id);
    const result = await sendPrompt(record, promptOf(comments));
    // What did not arrive is kept; what was written meanwhile goes with the next prompt.
    if (result.kind === "done") dropComments(root, sent);
    setOutcome(result);
    setSending(false);
  }
  const counted = comments.length === 1 ? "1 comment" : `${comments.length} comments`;
  return (
    <section className="comment-tray" aria-label="Comments">
      {shown && (
        <ul>
          {comments.map((comment) => (
            <li key={comment.id}>
              <button
                type="button"
                className="comment-place"
                onClick={() =>
                  openFile(root, comment.path, {
                    as: comment.side === "old" ? "diff" : "text",
                    line: comment.from,
                  })
                }
              >
                {placeWords(comment)}
              </button>
              <p>{comment.text}</p>
              <button
                type="button"
                className="copy-button"
                aria-label={`Take back the comment on ${placeWords(comment)}`}
                onClick={() => dropComments(root, [comment.id])}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {(outcome !== null || sending) && (
        <output className="receipt" data-outcome={outcome?.kind}>
          {sending ? "Sending…" : outcome?.words}
        </output>
      )}
      {comments.length > 0 && (
        <div className="code-actions">
          <button type="button" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? "Hide" : "Show"} {counted}
          </button>
          {agent === null && <span className="soft">No agent runs in this terminal.</span>}
          <button
            type="button"
            className="primary"
            disabled={agent === null || sending}
            title={agent === null ? undefined : `As one prompt to ${brandOf(agent.kind).displayName}`}
            onClick={() => void send()}
          >
            Send {counted}
          </button>
        </div>
      )}
    </section>
  );
}
