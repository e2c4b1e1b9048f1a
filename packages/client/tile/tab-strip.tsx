// The strip at the bottom of a tile with splits: one tab a terminal, whatever its depth.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { attentionOf, markOf } from "../marks/mark-of.ts";
import { doingOf, nameOf } from "../marks/name-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { Icon } from "./icon.tsx";

export interface TabStripProps {
  terminals: readonly TerminalRecord[];
  shownId: string;
  onShow(record: TerminalRecord): void;
  onSplit(): void;
  onClose(record: TerminalRecord): void;
}

export function TabStrip({ terminals, shownId, onShow, onSplit, onClose }: TabStripProps): JSX.Element {
  return (
    <>
      <div className="tabs" role="tablist" aria-label="Terminals of this tile">
        {terminals.map((record, index) => (
          <Tab
            key={record.id}
            record={record}
            shown={record.id === shownId}
            closable={index > 0}
            onShow={() => onShow(record)}
            onClose={() => onClose(record)}
          />
        ))}
      </div>
      <button
        type="button"
        className="tab-plus"
        aria-label="Another split"
        title="Another split"
        onClick={onSplit}
      >
        <Icon name="plus" />
      </button>
    </>
  );
}

interface TabProps {
  record: TerminalRecord;
  shown: boolean;
  closable: boolean;
  onShow(): void;
  onClose(): void;
}

function Tab({ record, shown, closable, onShow, onClose }: TabProps): JSX.Element {
  const mark = markOf(record);
  const label = record.intent?.split("\n")[0] ?? doingOf(record) ?? nameOf(record);
  return (
    <div className="tab" data-shown={shown || undefined} data-attention={attentionOf(mark) ?? undefined}>
      <button
        type="button"
        role="tab"
        aria-selected={shown}
        className="tab-face"
        title={record.cwd}
        onClick={onShow}
      >
        <StateMark mark={mark} sizePx={12} />
        <span className="tab-label">{label}</span>
      </button>
      {closable && (
        <button
          type="button"
          className="tab-close"
          aria-label={`Close ${label}`}
          title="Close this split"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
