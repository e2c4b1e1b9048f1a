// The bar on top of a tile: who is in it, what it is doing, and what can be done with it.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { JSX } from "react";
import { BrandMark } from "../marks/brand-mark.tsx";
import { markOf } from "../marks/mark-of.ts";
import { doingOf, nameOf } from "../marks/name-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { hueColor, monogramFill } from "../theme/hue.ts";
import { openThemes } from "../theme/theme-changes.ts";
import { Facts } from "./facts.tsx";
import { Icon } from "./icon.tsx";

export interface TitleBarProps {
  record: TerminalRecord;
  maximised: boolean;
  onSplit(): void;
  onMaximise(): void;
  onSearch(): void;
  onSleep(): void;
  onScreenshot(): void;
  onDetails(): void;
  onClose(): void;
}

export function TitleBar({
  record,
  maximised,
  onSplit,
  onMaximise,
  onSearch,
  onSleep,
  onScreenshot,
  onDetails,
  onClose,
}: TitleBarProps): JSX.Element {
  const mark = markOf(record);
  const doing = doingOf(record);
  const live = record.life === "active";
  return (
    <>
      <StateMark mark={mark} sizePx={16} />
      {record.agent && <BrandMark kind={record.agent.kind} />}
      <Identity record={record} />
      <span className="tile-doing" title={doing ?? undefined}>
        {doing}
      </span>
      <Facts record={record} />
      <span className="tile-actions nodrag">
        {live && <Action icon="search" label="Search in this terminal" onClick={onSearch} />}
        {live && <Action icon="split" label="Split: another terminal in this tile" onClick={onSplit} />}
        <Action icon="theme" label="Theme of this terminal" onClick={() => openThemes(record.id)} />
        <Action icon="camera" label="Picture of this terminal" onClick={onScreenshot} />
        {live && <Action icon="sleep" label="Put to sleep" onClick={onSleep} />}
        <Action icon="details" label="Details" onClick={onDetails} />
        <Action
          icon={maximised ? "restore" : "maximise"}
          label={maximised ? "Back to the canvas" : "Maximise"}
          onClick={onMaximise}
        />
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
