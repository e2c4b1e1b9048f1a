// A tile seen from afar: who, what state, and the last lines. Text stays at a size that can be read.
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import { type CSSProperties, type JSX, useEffect, useState } from "react";
import { BrandMark } from "../marks/brand-mark.tsx";
import { attentionOf, type Mark, markOf } from "../marks/mark-of.ts";
import { doingOf, nameOf } from "../marks/name-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { padi } from "../store/workspace.ts";
import { hueColor } from "../theme/hue.ts";
import { activate } from "./actions.ts";
import { hueOf } from "./colour.ts";
import { NetScale } from "./net-scale.tsx";

export interface CardProps {
  root: TerminalRecord;
  splits: readonly TerminalRecord[];
  box: Layout;
  zoom: number;
  active: boolean;
  /** Brings the tile close enough to be read. */
  onOpen(): void;
}

export function Card({ root, splits, box, zoom, active, onOpen }: CardProps): JSX.Element {
  const record = mostUrgent([root, ...splits]);
  const mark = markOf(record);
  const whole = { left: 0, top: 0, w: box.w, h: box.h };
  const name = nameOf(record);
  return (
    <article
      className="tile card"
      aria-label={`Terminal ${name}`}
      data-terminal={root.id}
      data-active={active || undefined}
      data-attention={attentionOf(mark) ?? undefined}
      style={{ "--tile-hue": hueOf(root.git?.name ?? root.cwd) } as CSSProperties}
    >
      <NetScale part={whole} origin={box} zoom={zoom} className="card-face tile-title">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the dock and the chords reach every terminal too */}
        <div className="card-inside" onMouseDownCapture={() => activate(record.id)} onDoubleClick={onOpen}>
          <header className="card-head">
            <StateMark mark={mark} sizePx={18} />
            {record.agent && <BrandMark kind={record.agent.kind} />}
            <span className="card-name" style={{ color: hueColor(name) }}>
              {name}
            </span>
            {splits.length > 0 && <span className="card-count">{splits.length + 1}</span>}
          </header>
          <p className="card-words" data-mark={mark.kind}>
            {root.git && <span className="card-repo">{root.git.name}</span>}
            {mark.kind === "shell" ? doingOf(record) : mark.words}
          </p>
          <LastLines record={record} />
        </div>
      </NetScale>
    </article>
  );
}

/** Needs somebody, then not seen, then an agent, then the tile's own terminal. */
function mostUrgent(records: readonly TerminalRecord[]): TerminalRecord {
  const rank = (mark: Mark, record: TerminalRecord): number =>
    mark.kind === "awaiting" ? 3 : mark.unread ? 2 : record.agent ? 1 : 0;
  return records.reduce((best, record) =>
    rank(markOf(record), record) > rank(markOf(best), best) ? record : best,
  );
}

/** More than a card can show at the zoom where cards begin. */
const LINES = 12;
/** The least time between two looks at one terminal: a card is glanced at, not read along. */
const LOOK_MS = 1_500;

/** The end of the screen, fetched again when the terminal has had output. */
function LastLines({ record }: { record: TerminalRecord }): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const { id, lastActivityAtMs } = record;
  // New activity is the reason to look again.
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        padi()
          .call("screen.text", { id, extent: { kind: "tail", lines: LINES } }, { signal: abort.signal })
          .then(
            (answer) => setText(answer.text),
            () => {}, // The link is lost or the terminal gone: what was seen last stays, and the banner says why.
          );
      },
      text === null ? 0 : LOOK_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, lastActivityAtMs]);
  return <pre className="card-lines">{text}</pre>;
}
