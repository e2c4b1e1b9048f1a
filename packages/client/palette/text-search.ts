// The search over the text of all terminals: waits for a hand that types, tells how far it has come, ends when it is called off.
import type { SearchStep } from "@kolu/contract/search.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { padi, useWorkspace } from "../store/workspace.ts";

/** Terminals with a hit, each with its own. */
export type Found = Pick<SearchStep, "id" | "hits" | "truncated">;

export interface TextSearch {
  /** resting: nothing to look for. stopped: called off by a person. */
  phase: "resting" | "searching" | "done" | "stopped" | "failed";
  searched: number;
  total: number;
  found: readonly Found[];
  /** Terminals that could not be read whole, with the reasons. */
  unread: readonly { id: string; reason: string }[];
  fault: string | null;
}

const RESTING: TextSearch = {
  phase: "resting",
  searched: 0,
  total: 0,
  found: [],
  unread: [],
  fault: null,
};
const TYPING_REST_MS = 200;
/** Fewer letters are in everything. */
const SHORTEST = { asked: 2, aside: 3 };
const HITS_EACH = 5;

/**
 * @param asked the search is for text alone; otherwise it runs beside the others, from a letter more on
 * @returns how it stands, and how to call it off
 */
export function useTextSearch(query: string, asked: boolean): [TextSearch, stop: () => void] {
  const live = useWorkspace(({ link }) => link.kind === "live");
  const [search, setSearch] = useState<TextSearch>(RESTING);
  const running = useRef<AbortController | null>(null);
  const text = query.trim();
  const isEnough = text.length >= (asked ? SHORTEST.asked : SHORTEST.aside);
  useEffect(() => {
    if (!live || !isEnough) return setSearch(RESTING);
    const abort = new AbortController();
    running.current = abort;
    setSearch({ ...RESTING, phase: "searching" });
    const timer = setTimeout(() => void run(text, abort.signal, setSearch), TYPING_REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, live, isEnough]);
  const stop = useCallback(() => {
    running.current?.abort();
    setSearch((before) => (before.phase === "searching" ? { ...before, phase: "stopped" } : before));
  }, []);
  return [search, stop];
}

async function run(
  query: string,
  signal: AbortSignal,
  set: (change: (before: TextSearch) => TextSearch) => void,
): Promise<void> {
  try {
    const params = { query, transcripts: true, limitEach: HITS_EACH };
    for await (const step of padi().subscribe("search.steps", params, { signal })) {
      if (signal.aborted) return;
      set((before) => withStep(before, step));
    }
    set((before) => ({ ...before, phase: "done" }));
  } catch (error) {
    if (signal.aborted) return;
    const fault = error instanceof Error ? error.message : String(error);
    set((before) => ({ ...before, phase: "failed", fault }));
  }
}

/** Pure. */
export function withStep(before: TextSearch, step: SearchStep): TextSearch {
  const { id, hits, truncated, unread, searched, total } = step;
  return {
    ...before,
    searched,
    total,
    found: hits.length === 0 ? before.found : [...before.found, { id, hits, truncated }],
    unread: [...before.unread, ...unread.map((reason) => ({ id, reason }))],
  };
}

/** What is said of it below the field. Pure. */
export function searchWords({ phase, searched, total, found, fault }: TextSearch): string | null {
  const hits = found.reduce((sum, { hits: own }) => sum + own.length, 0);
  const result = hits === 0 ? "no hit" : `${hits} ${hits === 1 ? "hit" : "hits"} in ${count(found.length)}`;
  switch (phase) {
    case "resting":
      return null;
    case "searching":
      return total === 0
        ? "Searching all text…"
        : `Searched ${searched} of ${count(total)}, ${result} so far`;
    case "done":
      return total === 0 ? "There is no terminal to search" : `Searched ${count(total)}: ${result}`;
    case "stopped":
      return `Stopped after ${searched} of ${count(total)}: ${result}`;
    case "failed":
      return `The search failed: ${fault}`;
    default:
      return phase satisfies never;
  }
}

function count(terminals: number): string {
  return terminals === 1 ? "1 terminal" : `${terminals} terminals`;
}
