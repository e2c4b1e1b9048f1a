import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { CopyButton } from "../copy-button.tsx";
import { reachLines } from "./reach.ts";
import { Section } from "./section.tsx";

export function ReachSection({ record }: { record: TerminalRecord }): JSX.Element {
  return (
    <Section title="From a shell">
      <ul className="reach">
        {reachLines(record).map(({ does, line }) => (
          <li key={line}>
            <span>{does}</span>
            <code>{line}</code>
            <CopyButton text={line} label={`Copy: ${line}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
