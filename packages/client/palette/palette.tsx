// One box to find anything: terminals, what was said and printed in them, repositories, agents, commands.
import type { SearchHit } from "@kolu/contract/search.ts";
import { Command } from "cmdk";
import { type JSX, type KeyboardEvent, useMemo, useState } from "react";
import { rowOrder } from "../dock/dock-rows.ts";
import { goTo } from "../dock/navigate.ts";
import { useDockCards } from "../dock/use-dock.ts";
import { useActions } from "../keys/actions.ts";
import { Sheet } from "../keys/sheet.tsx";
import { placesKnown } from "../launch/draft.ts";
import { useChoices, useLaunchData, useRecents } from "../launch/launch-data.ts";
import { openLaunch } from "../launch/wish.ts";
import { markOf } from "../marks/mark-of.ts";
import { nameOf } from "../marks/name-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { type Entry, type Known, SCOPE_NAMES, SCOPES, type Scope, sectionsFor } from "./entries.ts";
import { Excerpt } from "./excerpt.tsx";
import { goToLine, type TranscriptHit } from "./jump.ts";
import "./palette.css";
import { EntryRow, HitRow } from "./rows.tsx";
import { usePaletteScope } from "./scope.ts";
import { type Found, searchWords, useTextSearch } from "./text-search.ts";

const PLACEHOLDERS: Record<Scope, string> = {
  all: "Search terminals, text, repositories, commands",
  terminals: "Go to a terminal",
  text: "Search what was printed and said in all terminals",
  repos: "New terminal in a repository",
  agents: "Start an agent as before",
  commands: "Run a command of the page",
  hosts: "Find a machine",
};

export default function Palette(): JSX.Element {
  useLaunchData();
  const known = useKnown();
  const [query, setQuery] = useState("");
  const [scope, setScope] = useState<Scope>(usePaletteScope.getState().scope);
  const [excerpt, setExcerpt] = useState<TranscriptHit | null>(null);
  const [wanted, setWanted] = useState("");
  const isTextScope = scope === "text";
  const [search, stopSearch] = useTextSearch(scope === "all" || isTextScope ? query : "", isTextScope);
  const sections = useMemo(() => sectionsFor(known, scope, query), [known, scope, query]);
  const setOverlay = useUi((ui) => ui.setOverlay);
  const close = (): void => setOverlay(null);
  const pick = (run: () => void) => (): void => {
    close();
    run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Tab") {
      event.preventDefault();
      const step = event.shiftKey ? -1 : 1;
      setScope(SCOPES[(SCOPES.indexOf(scope) + step + SCOPES.length) % SCOPES.length]!);
    } else if (event.key === "Escape" && search.phase === "searching") {
      // The search first, the palette with the next one.
      event.preventDefault();
      stopSearch();
    }
  };
  const select = (entry: Entry): void => {
    if (entry.kind === "host") setScope("terminals");
    else pick(deedOf(entry))();
  };
  const values = [
    ...sections.flatMap(({ entries }) => entries.map(({ key }) => key)),
    ...search.found.flatMap(({ hits }) => hits.map(itemValue)),
  ];
  // Where what was marked has gone, the first is: Enter always means something.
  const marked = values.includes(wanted) ? wanted : (values[0] ?? "");
  const nothing = sections.length === 0 && search.found.length === 0;
  const words = searchWords(search);
  return (
    <Sheet label="Search" onClose={close}>
      {excerpt && (
        <Excerpt
          hit={excerpt}
          name={nameById(excerpt.id)}
          query={query}
          onBack={() => setExcerpt(null)}
          onLeave={close}
        />
      )}
      <Command
        className="palette"
        label={PLACEHOLDERS[scope]}
        loop
        value={marked}
        onValueChange={setWanted}
        shouldFilter={false}
        hidden={excerpt !== null}
        onKeyDown={onKeyDown}
      >
        <Command.Input
          key={excerpt ? "away" : "here"}
          autoFocus
          value={query}
          onValueChange={setQuery}
          placeholder={PLACEHOLDERS[scope]}
        />
        <Scopes scope={scope} onChange={setScope} />
        <div className="palette-progress" role="status" data-phase={search.phase}>
          {search.phase === "searching" && (
            <progress aria-label="Searched" value={search.searched} max={search.total || 1} />
          )}
          {words}
          {search.phase === "searching" && <kbd>Esc stops</kbd>}
        </div>
        <Command.List>
          {nothing && search.phase !== "searching" && (
            <p className="palette-empty">{emptyWords(scope, query)}</p>
          )}
          {sections.map(({ heading, entries, scope: of }) => (
            <Command.Group key={of} heading={heading}>
              {entries.map((entry) => (
                <Command.Item key={entry.key} value={entry.key} onSelect={() => select(entry)}>
                  <EntryRow entry={entry} />
                </Command.Item>
              ))}
            </Command.Group>
          ))}
          {search.found.map((found) => (
            <FoundGroup key={found.id} found={found} onExcerpt={setExcerpt} pick={pick} />
          ))}
          {search.unread.length > 0 && search.phase === "done" && (
            <p className="palette-unread">
              Not read whole:{" "}
              {search.unread.map(({ id, reason }) => `${nameById(id)} (${reason})`).join(", ")}
            </p>
          )}
        </Command.List>
      </Command>
    </Sheet>
  );
}

function useKnown(): Known {
  const cards = useDockCards();
  const actions = useActions((registry) => registry.actions);
  const recents = useRecents();
  const choices = useChoices((known) => known.choices);
  const records = useWorkspace((workspace) => workspace.records);
  return useMemo(
    () => ({
      rows: rowOrder(cards),
      actions,
      recents,
      places: placesKnown(records.values(), recents, choices),
      home: choices?.home ?? null,
      host: choices?.host ?? null,
      address: location.host,
    }),
    [cards, actions, recents, choices, records],
  );
}

function deedOf(entry: Exclude<Entry, { kind: "host" }>): () => void {
  switch (entry.kind) {
    case "terminal":
      return () => goTo(entry.row.record.id);
    case "repo":
      return () => openLaunch({ where: entry.path });
    case "agent":
      return () => openLaunch({ run: entry.run, ...(entry.where === null ? {} : { where: entry.where }) });
    case "command":
      return entry.action.run;
    default:
      return entry satisfies never;
  }
}

function Scopes({ scope, onChange }: { scope: Scope; onChange(scope: Scope): void }): JSX.Element {
  return (
    <fieldset className="scopes" aria-label="What to search; Tab changes it">
      {SCOPES.map((one) => (
        <button
          key={one}
          type="button"
          tabIndex={-1}
          aria-pressed={one === scope}
          // The field keeps the keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChange(one)}
        >
          {SCOPE_NAMES[one]}
        </button>
      ))}
      <kbd>Tab</kbd>
      <span className="visually-hidden" aria-live="polite">
        {SCOPE_NAMES[scope]}
      </span>
    </fieldset>
  );
}

/** The hits in one terminal. */
function FoundGroup({
  found,
  pick,
  onExcerpt,
}: {
  found: Found;
  pick(run: () => void): () => void;
  onExcerpt(hit: TranscriptHit): void;
}): JSX.Element | null {
  const record = useWorkspace((workspace) => workspace.records.get(found.id));
  if (!record) return null; // Closed since.
  const heading = (
    <span className="found-in">
      <StateMark mark={markOf(record)} />
      {nameOf(record)}
      <span>
        {record.git?.name} {found.truncated && "· the newest hits"}
      </span>
    </span>
  );
  return (
    <Command.Group heading={heading}>
      {found.hits.map((hit) => {
        const value = itemValue(hit);
        const act = hit.where === "transcript" ? () => onExcerpt(hit) : pick(() => goToLine(hit));
        return (
          <Command.Item key={value} value={value} onSelect={act}>
            <HitRow hit={hit} />
          </Command.Item>
        );
      })}
    </Command.Group>
  );
}

function itemValue(hit: SearchHit): string {
  return `${hit.id} ${hit.where === "transcript" ? `said ${hit.item}` : `line ${hit.line}`}`;
}

function nameById(id: string): string {
  const record = useWorkspace.getState().records.get(id);
  return record ? nameOf(record) : "a closed terminal";
}

function emptyWords(scope: Scope, query: string): string {
  if (scope === "text" && query.trim().length < 2)
    return "Type two letters or more: screens, scrollback and conversations are searched.";
  if (query.trim() === "") return "Nothing here yet.";
  return scope === "all" ? "Nothing is called that, and no terminal holds it." : "Nothing is called that.";
}
