// Tiles with their splits as the store has them now; a tile of which nothing changed is the same object as before.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { useWorkspace } from "../store/workspace.ts";
import { type TileTree, tilesOf } from "./splits.ts";

type Records = ReadonlyMap<string, TerminalRecord>;

let knownFor: Records | null = null;
let known: ReadonlyMap<string, TileTree> = new Map();

export function treesOf(records: Records): ReadonlyMap<string, TileTree> {
  if (records === knownFor) return known;
  const next = tilesOf(records).map((tree) => {
    const before = known.get(tree.root.id);
    return [tree.root.id, before && sameTree(before, tree) ? before : tree] as const;
  });
  knownFor = records;
  known = new Map(next);
  return known;
}

function sameTree(a: TileTree, b: TileTree): boolean {
  return (
    a.root === b.root &&
    a.splits.length === b.splits.length &&
    a.splits.every((split, index) => split === b.splits[index])
  );
}

/** One tile, or null when its terminal is gone. */
export function useTree(id: string): TileTree | null {
  return useWorkspace((workspace) => treesOf(workspace.records).get(id) ?? null);
}
