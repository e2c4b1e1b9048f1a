// Tiles and their splits: a terminal whose parent is not there is a tile of its own; below a tile every descendant is
// one tab, whatever its depth. Pure.
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
  return Map.groupBy([...records.values()].sort(byCreation), ({ parentId }) =>
    parentId !== null && records.has(parentId) ? (parentId as string) : null,
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

/** The tile that shows a terminal: itself or its topmost ancestor. */
export function tileIdOf(records: Records, id: string): string {
  const seen = new Set<string>();
  let at = id;
  for (;;) {
    seen.add(at);
    const parentId = records.get(at)?.parentId ?? null;
    if (parentId === null || !records.has(parentId) || seen.has(parentId)) return at;
    at = parentId;
  }
}
