// The box to write to a terminal: insert the text as it is, or send it and hear what became of it.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, type KeyboardEvent, useState } from "react";
import { isModEnter, platform } from "../../keys/platform.ts";
import { setDraft, useDrafts } from "../drafts.ts";
import { asks, insertText, type Outcome, sendText } from "../prompting.ts";

const MOD_ENTER = platform === "mac" ? "⌘↩" : "Ctrl+Enter";
const ROWS_MIN = 2;
const ROWS_MAX = 12;

export function Compose({ record }: { record: TerminalRecord }): JSX.Element {
  const { id, agent } = record;
  const draft = useDrafts(({ drafts }) => drafts[id] ?? "");
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const empty = draft.trim() === "";

  async function run(act: (record: TerminalRecord, text: string) => Promise<Outcome>): Promise<void> {
    if (empty || sending) return;
    setSending(true);
    setOutcome(null);
    const result = await act(record, draft);
    // What could not be sent stays in the box.
    if (result.kind === "done") setDraft(id, "");
    setOutcome(result);
    setSending(false);
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isModEnter(event)) return;
    event.preventDefault();
    void run(sendText);
  };
  return (
    <form
      className="compose"
      aria-label="Write to this terminal"
      onSubmit={(event) => {
        event.preventDefault();
        void run(sendText);
      }}
    >
      <textarea
        aria-label="Text"
        placeholder={asks(record) ? "An answer…" : agent ? "A prompt for the agent…" : "Text for the shell…"}
        data-takes-mod-enter
        rows={Math.min(ROWS_MAX, Math.max(ROWS_MIN, draft.split("\n").length))}
        value={draft}
        readOnly={sending}
        onChange={(event) => {
          setDraft(id, event.target.value);
          setOutcome(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="compose-foot">
        <output className="receipt" data-outcome={outcome?.kind}>
          {sending ? "Sending…" : outcome?.words}
        </output>
        <button type="button" disabled={empty || sending} onClick={() => void run(insertText)}>
          Insert
        </button>
        <button type="submit" className="primary" disabled={empty || sending}>
          {asks(record) ? "Answer" : agent ? "Send" : "Run"} <kbd>{MOD_ENTER}</kbd>
        </button>
      </div>
    </form>
  );
}
