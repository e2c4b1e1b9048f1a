// Where a terminal opens: a place that is known, or a path that is typed and completed.
import type { DirectoryLook } from "@kolu/contract/launch.ts";
import { type JSX, type KeyboardEvent, useId, useState } from "react";
import { hueColor, monogramFill } from "../theme/hue.ts";
import type { Place } from "./draft.ts";
import { useCompletions } from "./launch-data.ts";
import { homeRelative } from "./paths.ts";

export interface WhereFieldProps {
  where: string;
  look: DirectoryLook | null;
  places: readonly Place[];
  home: string | null;
  problem: string | null;
  onChange(where: string): void;
}

interface Option {
  path: string;
  /** As it is put into the field. */
  text: string;
  name: string;
  note: string;
  /** Its directories are looked at next. */
  goesOn: boolean;
}

const SHOWN_MAX = 8;

export function WhereField(props: WhereFieldProps): JSX.Element {
  const { where, look, home, problem, onChange } = props;
  const [open, setOpen] = useState<"places" | "typed" | null>(null);
  const [at, setAt] = useState(0);
  const listId = useId();
  const problemId = useId();
  const options = useOptions(props, open);
  const shown = open !== null && options.length > 0;
  const marked = shown ? (options[Math.min(at, options.length - 1)] ?? null) : null;

  const isWrong = problem !== null || (look?.kind === "none" && !shown);

  const take = (option: Option): void => {
    onChange(option.text);
    setOpen(option.goesOn ? "typed" : null);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (shown) setAt((at + step + options.length) % options.length);
      else setOpen("places");
    } else if (event.key === "Escape" && shown) {
      // The list goes first, the form with the next one.
      event.preventDefault();
      event.stopPropagation();
      setOpen(null);
    } else if (marked && event.key === "Tab" && !event.shiftKey && open === "typed") {
      if (marked.text === where) return;
      event.preventDefault();
      take(marked);
    } else if (marked && event.key === "Enter" && marked.text !== where) {
      event.preventDefault();
      take({ ...marked, goesOn: false });
    }
  };
  return (
    <div className="launch-field where">
      <label htmlFor={`${listId}-input`}>Where</label>
      <div className="where-box">
        <input
          id={`${listId}-input`}
          role="combobox"
          aria-expanded={shown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={marked ? `${listId}-${options.indexOf(marked)}` : undefined}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problemId}
          value={where}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder="A repository or a directory, such as ~/code/shop"
          onChange={(event) => {
            onChange(event.target.value);
            setOpen("typed");
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(null)}
        />
        <button
          type="button"
          className="where-more"
          tabIndex={-1}
          aria-label="Show known places"
          // The field keeps the keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            setOpen(open === null ? "places" : null);
            event.currentTarget.parentElement?.querySelector("input")?.focus();
          }}
        >
          ▾
        </button>
        <div id={listId} role="listbox" className="where-list" hidden={!shown} aria-label="Places">
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={option.path}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={option === marked}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              <span className="monogram" style={{ background: monogramFill(option.name) }} aria-hidden>
                {option.name.slice(0, 1).toUpperCase()}
              </span>
              <span className="where-name" style={{ color: hueColor(option.name) }}>
                {option.name}
              </span>
              <span className="where-path">
                <bdo dir="ltr">{homeRelative(option.path, home)}</bdo>
              </span>
              <span className="where-note">{option.note}</span>
            </div>
          ))}
        </div>
      </div>
      <p id={problemId} className={isWrong ? "launch-note wrong" : "launch-note"} aria-live="polite">
        {problem ?? lookWords(look, where)}
      </p>
    </div>
  );
}

function useOptions({ where, places, home }: WhereFieldProps, open: "places" | "typed" | null): Option[] {
  const found = useCompletions(open === "typed" ? where : null);
  const known = places.map(({ path, name, from }) => {
    return { path, text: homeRelative(path, home), name, note: from, goesOn: false };
  });
  if (open !== "typed") return known.slice(0, SHOWN_MAX);
  const words = where.toLowerCase();
  const meant = words.includes("/") ? [] : known.filter(({ name }) => name.toLowerCase().includes(words));
  const completed = found.map(({ path, isRepo }) => ({
    path,
    text: `${homeRelative(path, home)}${isRepo ? "" : "/"}`,
    name: path.slice(path.lastIndexOf("/") + 1),
    note: isRepo ? "repository" : "directory",
    goesOn: !isRepo,
  }));
  const taken = new Set(meant.map(({ path }) => path));
  return [...meant, ...completed.filter(({ path }) => !taken.has(path))].slice(0, SHOWN_MAX);
}

function lookWords(look: DirectoryLook | null, where: string): string {
  if (where.trim() === "") return "Type a path, or press the down arrow for places that are known.";
  if (look === null) return "Looking…";
  switch (look.kind) {
    case "repository":
      if (look.base === null) return `${look.name}: a repository without a commit yet`;
      return `${look.name}${look.branch === null ? "" : `, on ${look.branch}`}`;
    case "directory":
      return "A directory outside of any repository";
    case "none":
      return `Nothing can be opened there: ${look.reason}`;
    default:
      return look satisfies never;
  }
}
