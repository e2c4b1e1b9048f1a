// Search in one terminal: incremental, with the number of matches.
import { type JSX, type KeyboardEvent, useState } from "react";
import { Icon } from "../tile/icon.tsx";
import { sessionOf } from "./sessions.ts";
import type { SearchResult } from "./view.ts";

export function SearchBar({ id }: { id: string }): JSX.Element {
  const [text, setText] = useState("");
  const [result, setResult] = useState<SearchResult>({ index: 0, count: 0 });
  const session = sessionOf(id);
  const find = (wanted: string, direction: "next" | "previous"): void =>
    session.view()?.search(wanted, direction, setResult);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") session.endSearch();
    if (event.key === "Enter") find(text, event.shiftKey ? "previous" : "next");
  };
  return (
    <search className="search-bar">
      <input
        // biome-ignore lint/a11y/noAutofocus: the bar appears because a person asked to type into it
        autoFocus
        value={text}
        placeholder="Search"
        aria-label="Search in this terminal"
        onChange={(event) => {
          setText(event.target.value);
          find(event.target.value, "next");
        }}
        onKeyDown={onKeyDown}
      />
      <output className="search-count">{text === "" ? "" : `${result.index}/${result.count}`}</output>
      <button type="button" aria-label="Previous match" onClick={() => find(text, "previous")}>
        <Icon name="up" />
      </button>
      <button type="button" aria-label="Next match" onClick={() => find(text, "next")}>
        <Icon name="down" />
      </button>
      <button type="button" aria-label="End the search" onClick={() => session.endSearch()}>
        <Icon name="close" />
      </button>
    </search>
  );
}
