// Tidying on command: one island a repository, each a near-square block of its tiles. Sizes stay. Pure.

import { boundsOf, GAP_PX, GRID_PX, type Point, snap, snapUp } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";

export interface ArrangeTile {
  id: string;
  /** Tiles with the same word make one island. */
  group: string;
  box: Layout;
}

/** Wide enough to read as a border between islands, narrow enough to keep them on one screen. */
const ISLAND_GAP_PX = 4 * GRID_PX;
/** Blocks come out about as wide, relative to their height, as a screen is. */
const SCREEN_RATIO = 1.6;

/**
 * New places for all tiles. Groups follow one another by name, tiles in the order given. The result hangs from the
 * old top left corner, lies on the grid, and no two tiles overlap.
 */
export function arrange(tiles: readonly ArrangeTile[]): Map<string, Layout> {
  const bounds = boundsOf(tiles.map((tile) => tile.box));
  if (!bounds) return new Map();
  const groups = [...Map.groupBy(tiles, (tile) => tile.group)].sort(([a], [b]) => (a < b ? -1 : 1));
  const islands = groups.map(([, members]) => {
    const block = pack(
      members.map((member) => ({ key: member.id, w: member.box.w, h: member.box.h })),
      GAP_PX,
    );
    return { members, block };
  });
  const map = pack(
    islands.map(({ block }, index) => ({ key: String(index), w: block.w, h: block.h })),
    ISLAND_GAP_PX,
  );
  const origin = { x: snap(bounds.x), y: snap(bounds.y) };
  const placed = new Map<string, Layout>();
  for (const [index, { members, block }] of islands.entries()) {
    const island = map.at.get(String(index))!;
    for (const { id, box } of members) {
      const inner = block.at.get(id)!;
      placed.set(id, {
        x: origin.x + island.x + inner.x,
        y: origin.y + island.y + inner.y,
        w: box.w,
        h: box.h,
      });
    }
  }
  return placed;
}

interface Block {
  at: Map<string, Point>;
  w: number;
  h: number;
}

/** Shelves from left to right, in order, wrapped at the width at which the whole is about as wide as a screen. */
function pack(items: { key: string; w: number; h: number }[], gapPx: number): Block {
  const area = items.reduce((sum, item) => sum + (item.w + gapPx) * (item.h + gapPx), 0);
  const widest = Math.max(...items.map((item) => item.w));
  const widthLimit = Math.max(widest, Math.sqrt(area * SCREEN_RATIO));
  const at = new Map<string, Point>();
  let x = 0;
  let y = 0;
  let shelf = 0;
  let w = 0;
  for (const item of items) {
    if (x > 0 && x + item.w > widthLimit) {
      x = 0;
      y += shelf;
      shelf = 0;
    }
    at.set(item.key, { x, y });
    w = Math.max(w, x + item.w);
    x = snapUp(x + item.w + gapPx);
    shelf = Math.max(shelf, snapUp(item.h + gapPx));
  }
  return { at, w, h: y + shelf - gapPx };
}
