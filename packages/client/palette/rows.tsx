// One line of the palette for each kind of entry.
import type { JSX, ReactNode } from "react";
import { Caps } from "../keys/caps.tsx";
import { BrandMark } from "../marks/brand-mark.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { hueColor, monogramFill } from "../theme/hue.ts";
import type { Entry } from "./entries.ts";
import { kindWords } from "./excerpt.tsx";
import { hitText } from "./hit-text.ts";
import type { LineHit, TranscriptHit } from "./jump.ts";

export function EntryRow({ entry }: { entry: Entry }): JSX.Element {
  switch (entry.kind) {
    case "terminal": {
      const { record, mark, name, doing, tellApart } = entry.row;
      return (
        <>
          <StateMark mark={mark} />
          <span className="palette-name">{name}</span>
          {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
          <span className="palette-doing">{doing ?? mark.words}</span>
          <Note>
            {tellApart} {record.git?.name}
          </Note>
        </>
      );
    }
    case "repo":
      return (
        <>
          <span className="monogram" style={{ background: monogramFill(entry.title) }} aria-hidden>
            {entry.title.slice(0, 1).toUpperCase()}
          </span>
          <span className="palette-name" style={{ color: hueColor(entry.title) }}>
            {entry.title}
          </span>
          <span className="palette-doing">New terminal in {entry.shown}</span>
          <Note>{entry.note}</Note>
        </>
      );
    case "agent":
      return (
        <>
          <BrandMark kind={entry.agent} sizePx={14} />
          <code className="palette-line">{entry.title}</code>
          <Note>{entry.note}</Note>
        </>
      );
    case "command":
      return (
        <>
          <span className="palette-name">{entry.title}</span>
          <Note>
            <Caps action={entry.action} />
          </Note>
        </>
      );
    case "host":
      return (
        <>
          <span className="palette-name">{entry.title}</span>
          <span className="palette-doing">{entry.note}</span>
        </>
      );
    default:
      return entry satisfies never;
  }
}

export function HitRow({ hit }: { hit: LineHit | TranscriptHit }): JSX.Element {
  const { before, match, after } = hitText(hit);
  return (
    <>
      <code className="palette-hit">
        {before}
        <mark>{match}</mark>
        {after}
      </code>
      <Note>{hit.where === "transcript" ? `said: ${kindWords(hit.kind)}` : placeWords(hit)}</Note>
    </>
  );
}

function placeWords({ where, linesFromEnd }: LineHit): string {
  if (where === "screen") return "on screen";
  return `${linesFromEnd.toLocaleString()} lines up`;
}

function Note({ children }: { children: ReactNode }): JSX.Element {
  return <span className="palette-repo">{children}</span>;
}
