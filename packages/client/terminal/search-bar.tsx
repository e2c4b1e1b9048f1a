// Search in one terminal: as it is typed, with the number of matches, by case and by pattern where somebody asks for that.
import { type JSX, type KeyboardEvent, useEffect, useState } from "react";
import { Icon } from "../tile/icon.tsx";
import { sessionOf } from "./sessions.ts";
import type { SearchManner, SearchResult } from "./view.ts";

const NOTHING: SearchResult = { index: 0, count: 0 };

export function SearchBar({ id }: { id: string }): JSX.Element {
  const [text, setText] = useState("");
  const [manner, setManner] = useState<SearchManner>({ matchCase: false, isPattern: false });
  const [result, setResult] = useState(NOTHING);
  const session = sessionOf(id);
  const broken = manner.isPattern && !isPattern(text);
  const find = (direction: "next" | "previous" | "here"): void => {
    if (broken) setResult(NOTHING);
    else session.view()?.search(text, direction, setResult, manner);
  };
  // Another text or manner begins a search.
  useEffect(() => find("here"), [text, manner]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") session.endSearch();
    if (event.key === "Enter" && event.target instanceof HTMLInputElement)
      find(event.shiftKey ? "previous" : "next");
  };
  return (
    <search className="search-bar" onKeyDown={onKeyDown}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the bar appears because a person asked to type into it
        autoFocus
        value={text}
        placeholder="Search"
        aria-label="Search in this terminal"
        aria-invalid={broken}
        onChange={(event) => setText(event.target.value)}
      />
      <output className="search-count">{countWords(text, result, broken)}</output>
      <Toggle
        label="Match case"
        sign="Aa"
        on={manner.matchCase}
        onToggle={(matchCase) => setManner({ ...manner, matchCase })}
      />
      <Toggle
        label="Regular expression"
        sign=".*"
        on={manner.isPattern}
        onToggle={(isPattern) => setManner({ ...manner, isPattern })}
      />
      <button
        type="button"
        aria-label="Previous match"
        title="Previous match"
        onClick={() => find("previous")}
      >
        <Icon name="up" />
      </button>
      <button type="button" aria-label="Next match" title="Next match" onClick={() => find("next")}>
        <Icon name="down" />
      </button>
      <button
        type="button"
        aria-label="End the search"
        title="End the search"
        onClick={() => session.endSearch()}
      >
        <Icon name="close" />
      </button>
    </search>
  );
}

interface ToggleProps {
  label: string;
  sign: string;
  on: boolean;
  onToggle(on: boolean): void;
}

function Toggle({ label, sign, on, onToggle }: ToggleProps): JSX.Element {
  return (
    <button
      type="button"
      className="search-toggle"
      aria-label={label}
      title={label}
      aria-pressed={on}
      onClick={() => onToggle(!on)}
    >
      {sign}
    </button>
  );
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function countWords(text: string, { index, count }: SearchResult, broken: boolean): string {
  if (broken) return "not a pattern";
  return text === "" ? "" : `${index}/${count}`;
}
