import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { exportTranscript } from "../../tile/export.ts";
import { Section } from "./section.tsx";

export function TranscriptSection({
  record,
  onRead,
}: {
  record: TerminalRecord;
  onRead(): void;
}): JSX.Element {
  return (
    <Section title="Conversation">
      <div className="section-actions">
        <button type="button" onClick={onRead}>
          Read it here
        </button>
        <button type="button" onClick={() => void exportTranscript(record, "full")}>
          Export all of it
        </button>
        <button type="button" onClick={() => void exportTranscript(record, "chat")}>
          Export the chat
        </button>
      </div>
    </Section>
  );
}
