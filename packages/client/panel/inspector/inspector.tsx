// All that is known of one terminal, from top to bottom in the order of how often one asks; the box to write to it stays
// below while the rest scrolls.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, useState } from "react";
import { AgentSection } from "./agent-section.tsx";
import { Compose } from "./compose.tsx";
import "./inspector.css";
import { PlaceSection } from "./place-section.tsx";
import { ReachSection } from "./reach-section.tsx";
import { TranscriptSection } from "./transcript-section.tsx";
import { TranscriptView } from "./transcript-view.tsx";

export function Inspector({ record }: { record: TerminalRecord }): JSX.Element {
  const [reading, setReading] = useState(false);
  return (
    <>
      {reading && record.agent ? (
        <TranscriptView record={record} onBack={() => setReading(false)} />
      ) : (
        <div className="inspector">
          <AgentSection record={record} />
          <PlaceSection record={record} />
          {record.agent && <TranscriptSection record={record} onRead={() => setReading(true)} />}
          <ReachSection record={record} />
        </div>
      )}
      {record.life === "active" && <Compose record={record} />}
    </>
  );
}
