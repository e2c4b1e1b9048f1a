// Tiles and their splits: a terminal whose parent is not there is a tile of its own; below a tile every descendant is
// one tab, whatever its depth. Pure.
import { isTile } from "@kolu/contract/plane/tiles.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

export interface TileTree {
  root: TerminalRecord;
  /** All descendants, parents before children, siblings by creation. */
  splits: readonly TerminalRecord[];
}

type Records = ReadonlyMap<string, TerminalRecord>;

/** Every tile with its splits, in order of creation. */
export function tilesOf(records: Records): TileTree[] {
  const children = childrenOf(records);
  return (children.get(null) ?? []).map((root) => ({
    root,
    splits: below(root.id, children, new Set([root.id])),
  }));
}

/** Everything below a terminal, parents before children. */
export function descendantsOf(records: Records, id: string): TerminalRecord[] {
  return below(id, childrenOf(records), new Set([id]));
}

function childrenOf(records: Records): ReadonlyMap<string | null, TerminalRecord[]> {
  return Map.groupBy([...records.values()].sort(byCreation), (record) =>
    isTile(record, records) ? null : record.parentId,
  );
}

function below(
  id: string,
  children: ReadonlyMap<string | null, readonly TerminalRecord[]>,
  seen: Set<string>,
): TerminalRecord[] {
  return (children.get(id) ?? []).flatMap((child) => {
    if (seen.has(child.id)) return [];
    seen.add(child.id);
    return [child, ...below(child.id, children, seen)];
  });
}

function byCreation(a: TerminalRecord, b: TerminalRecord): number {
  return a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);
}
