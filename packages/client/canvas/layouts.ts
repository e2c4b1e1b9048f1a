// Where tiles are, and what people do about it: moving, resizing, arranging, undoing. Every change of a person goes
// through `commitLayouts`, so that every change can be undone.
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import { create } from "zustand";
import { setLayouts, useWorkspace } from "../store/workspace.ts";
import { tilesOf } from "../tile/splits.ts";
import { arrange } from "./arrange.ts";
import { type LayoutHistory, NO_HISTORY, record, redo, type Step, undo } from "./layout-history.ts";
import { sayFailure } from "./notices.ts";

export interface LayoutsState {
  history: LayoutHistory;
  /** Boxes of tiles under somebody's hand, not let go yet. */
  drafts: ReadonlyMap<string, Layout>;
}

export const useLayouts = create<LayoutsState>(() => ({ history: NO_HISTORY, drafts: new Map() }));

/** The top-level terminals that have a place. */
export function placedTiles(
  records = useWorkspace.getState().records,
): { root: TerminalRecord; box: Layout }[] {
  return tilesOf(records).flatMap(({ root }) => (root.layout ? [{ root, box: root.layout }] : []));
}

export function boxOf(id: string): Layout | null {
  return useLayouts.getState().drafts.get(id) ?? useWorkspace.getState().records.get(id)?.layout ?? null;
}

/** Shows tiles elsewhere while a hand holds them. */
export function draftLayouts(boxes: Iterable<[string, Layout]>): void {
  useLayouts.setState(({ drafts }) => ({ drafts: new Map([...drafts, ...boxes]) }));
}

/** Steps of one kind within this time are one act. */
const BURST_MS = 1_000;
let burst: { key: string; lastMs: number } | null = null;

/**
 * A person has put tiles somewhere: shown, sent to padi, and noted for undo. `steps` names what is done step by step by a
 * key: steps of the same name that follow one another quickly are undone at once.
 */
export function commitLayouts(after: ReadonlyMap<string, Layout>, steps: string | null = null): void {
  const nowMs = Date.now();
  const joins = burst !== null && burst.key === steps && nowMs - burst.lastMs < BURST_MS;
  burst = steps === null ? null : { key: steps, lastMs: nowMs };
  const { records } = useWorkspace.getState();
  const before = new Map<string, Layout>();
  for (const id of after.keys()) {
    const layout = records.get(id)?.layout;
    if (layout) before.set(id, layout);
  }
  useLayouts.setState(({ history, drafts }) => ({
    history: record(history, { before, after }, { joins }),
    drafts: without(drafts, after.keys()),
  }));
  send(after);
}

export function undoLayout(): void {
  burst = null;
  step(undo(useLayouts.getState().history, exists));
}

export function redoLayout(): void {
  burst = null;
  step(redo(useLayouts.getState().history, exists));
}

function exists(id: string): boolean {
  return useWorkspace.getState().records.has(id);
}

function step(taken: Step | null): void {
  if (!taken) return;
  useLayouts.setState({ history: taken.history });
  send(taken.layouts);
}

/** One island a repository; terminals outside any repository stand by their directory. */
export function arrangeByRepo(): void {
  const tiles = placedTiles().map(({ root, box }) => ({
    id: root.id,
    group: root.git?.name ?? root.cwd,
    box,
  }));
  commitLayouts(arrange(tiles));
}

function send(layouts: ReadonlyMap<string, Layout>): void {
  setLayouts([...layouts].map(([id, layout]) => ({ id, layout }))).catch(
    sayFailure("The layout could not be saved"),
  );
}

function without(drafts: ReadonlyMap<string, Layout>, ids: Iterable<string>): ReadonlyMap<string, Layout> {
  const kept = new Map(drafts);
  for (const id of ids) kept.delete(id);
  return kept;
}
