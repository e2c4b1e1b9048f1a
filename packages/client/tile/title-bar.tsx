// The bar on top of a tile: who is in it, what it is doing, and what can be done with it.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { BrandMark } from "../marks/brand-mark.tsx";
import { type Mark, markOf } from "../marks/mark-of.ts";
import { doingOf, nameOf } from "../marks/name-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { hueColor, monogramFill } from "../theme/hue.ts";
import { openThemes } from "../theme/theme-changes.ts";
import { Icon } from "./icon.tsx";
import { useNow } from "./now.ts";
import { compactCount, shortDuration } from "./words.ts";

export interface TitleBarProps {
  record: TerminalRecord;
  maximised: boolean;
  onSplit(): void;
  onMaximise(): void;
  onSearch(): void;
  onSleep(): void;
  onClose(): void;
}

export function TitleBar({
  record,
  maximised,
  onSplit,
  onMaximise,
  onSearch,
  onSleep,
  onClose,
}: TitleBarProps): JSX.Element {
  const mark = markOf(record);
  const live = record.life === "active";
  return (
    <>
      <StateMark mark={mark} sizePx={16} />
      {record.agent && <BrandMark kind={record.agent.kind} />}
      <Identity record={record} />
      <span className="tile-doing">{doingOf(record)}</span>
      <Facts record={record} mark={mark} />
      <span className="tile-actions nodrag">
        {live && <Action icon="search" label="Search in this terminal" onClick={onSearch} />}
        {live && <Action icon="split" label="Split: another terminal in this tile" onClick={onSplit} />}
        <Action icon="theme" label="Theme of this terminal" onClick={() => openThemes(record.id)} />
        <Action
          icon={maximised ? "restore" : "maximise"}
          label={maximised ? "Back to the canvas" : "Maximise"}
          onClick={onMaximise}
        />
        {live && <Action icon="sleep" label="Put to sleep" onClick={onSleep} />}
        <Action icon="close" label="Close" onClick={onClose} />
      </span>
    </>
  );
}

/** Repository and name: what stays the same while the terminal works. */
function Identity({ record }: { record: TerminalRecord }): JSX.Element {
  const repo = record.git?.name ?? null;
  const name = nameOf(record);
  return (
    <span className="tile-identity" title={`${record.cwd}\n${name}`}>
      {repo !== null && (
        <>
          <span className="tile-monogram" style={{ background: monogramFill(repo) }} aria-hidden="true">
            {repo.slice(0, 1).toUpperCase()}
          </span>
          <span className="tile-repo">{repo}</span>
        </>
      )}
      <span className="tile-name" style={{ color: hueColor(name) }}>
        {name}
      </span>
    </span>
  );
}

/** Todo progress, state words and how long, tokens. */
function Facts({ record, mark }: { record: TerminalRecord; mark: Mark }): JSX.Element {
  const { agent } = record;
  const ofShell = mark.kind === "shell";
  return (
    <span className="tile-facts">
      {agent?.todos && (
        <span className="tile-todos" title="Tasks done">
          {agent.todos.completed}/{agent.todos.total}
        </span>
      )}
      {!ofShell && (
        <span className="tile-words" data-mark={mark.kind} title={mark.why ?? undefined}>
          {mark.words}
          {agent && <Since sinceMs={agent.sinceMs} startedAtMs={agent.startedAtMs} />}
        </span>
      )}
      {agent?.contextTokens != null && (
        <span
          className="tile-tokens"
          title={`${agent.contextTokens.toLocaleString()} tokens of context${agent.model ? `, ${agent.model}` : ""}`}
        >
          {compactCount(agent.contextTokens)}
        </span>
      )}
    </span>
  );
}

function Since({ sinceMs, startedAtMs }: { sinceMs: number; startedAtMs: number | null }): JSX.Element {
  const nowMs = useNow();
  const running = startedAtMs === null ? undefined : `Session runs for ${shortDuration(nowMs - startedAtMs)}`;
  return (
    <span className="tile-since" title={running}>
      {shortDuration(nowMs - sinceMs)}
    </span>
  );
}

interface ActionProps {
  icon: Parameters<typeof Icon>[0]["name"];
  label: string;
  onClick(): void;
}

function Action({ icon, label, onClick }: ActionProps): JSX.Element {
  return (
    <button type="button" className="tile-action" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
