// Undo and redo of what people did to the layout. Pure: each function returns a new history.

import { sameBox } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";

/** One act of a person: where each touched tile was and where it went. */
export interface LayoutChange {
  before: ReadonlyMap<string, Layout>;
  after: ReadonlyMap<string, Layout>;
}

export interface LayoutHistory {
  past: readonly LayoutChange[];
  future: readonly LayoutChange[];
}

/** Acts that can be undone; the oldest is forgotten beyond it. */
export const HISTORY_MAX_CHANGES = 100;

export const NO_HISTORY: LayoutHistory = { past: [], future: [] };

/**
 * Notes an act. An act that moved nothing is none; a new act ends what could be redone. `joins`: it goes on with the last
 * one (a key that is held down), and both are undone at once.
 */
export function record(
  history: LayoutHistory,
  change: LayoutChange,
  { joins = false }: { joins?: boolean } = {},
): LayoutHistory {
  const moved = [...change.after].some(([id, box]) => {
    const before = change.before.get(id);
    return !before || !sameBox(before, box);
  });
  if (!moved) return history;
  const last = history.past.at(-1);
  if (joins && last)
    return { past: [...history.past.slice(0, -1), { before: last.before, after: change.after }], future: [] };
  return { past: [...history.past, change].slice(-HISTORY_MAX_CHANGES), future: [] };
}

export interface Step {
  history: LayoutHistory;
  /** What to put where now. */
  layouts: ReadonlyMap<string, Layout>;
}

/** Takes back the last act that touched a tile which still exists; null when there is none. */
export function undo(history: LayoutHistory, exists: (id: string) => boolean): Step | null {
  const past = [...history.past];
  for (;;) {
    const change = past.pop();
    if (!change) return null;
    const layouts = only(change.before, exists);
    if (layouts.size > 0) return { history: { past, future: [change, ...history.future] }, layouts };
  }
}

/** Does again what was undone last. */
export function redo(history: LayoutHistory, exists: (id: string) => boolean): Step | null {
  const future = [...history.future];
  for (;;) {
    const change = future.shift();
    if (!change) return null;
    const layouts = only(change.after, exists);
    if (layouts.size > 0) return { history: { past: [...history.past, change], future }, layouts };
  }
}

function only(layouts: ReadonlyMap<string, Layout>, exists: (id: string) => boolean): Map<string, Layout> {
  return new Map([...layouts].filter(([id]) => exists(id)));
}
