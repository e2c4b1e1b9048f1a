// The question before something that runs is ended.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type JSX, type KeyboardEvent, useEffect, useRef } from "react";
import { brandOf } from "../marks/brand.ts";
import { nameOf } from "../marks/name-of.ts";
import { useWorkspace } from "../store/workspace.ts";
import { closedWith, runsSomething } from "./closing.ts";

export interface CloseQuestionProps {
  record: TerminalRecord;
  onClose(): void;
  onKeep(): void;
}

export function CloseQuestion({ record, onClose, onKeep }: CloseQuestionProps): JSX.Element {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onKeep();
  };
  return (
    <div className="question-shade nodrag">
      <div
        className="question"
        role="alertdialog"
        aria-label={`Close ${nameOf(record)}?`}
        onKeyDown={onKeyDown}
      >
        <strong>Close {nameOf(record)}?</strong>
        <p>{consequence(record)}</p>
        <div className="question-answers">
          <button ref={keep} type="button" onClick={onKeep}>
            Keep
          </button>
          <button type="button" className="danger" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </div>
  );
}

function consequence(record: TerminalRecord): string {
  const all = closedWith(useWorkspace.getState().records, record);
  const running = all.filter(runsSomething).map(programOf);
  const splits = all.length - 1;
  const also = splits === 0 ? "" : ` Its ${splits === 1 ? "split closes" : `${splits} splits close`} too.`;
  return `${running.length === 0 ? "Nothing runs in it." : `This ends ${listed(running)}.`}${also}`;
}

function programOf(record: TerminalRecord): string {
  if (record.agent) return brandOf(record.agent.kind).displayName;
  return record.command?.running ? record.command.line : (record.rootCommand?.join(" ") ?? "the shell");
}

function listed(names: string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
