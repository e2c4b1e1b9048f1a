// Tiles as React Flow wants them. A node of which nothing changed is the same object, so that one terminal's news never
// makes the others draw.

import { GRID_PX } from "@kolu/contract/plane/geometry.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Node } from "@xyflow/react";
import { type Mark, markOf } from "../marks/mark-of.ts";
import { SHAPES } from "../marks/shapes.ts";
import type { TileTree } from "../tile/splits.ts";

export interface TileData extends Record<string, unknown> {
  /** Colour of the tile on the minimap. */
  color: string;
  /** It needs somebody, or was not seen: the minimap shows it stronger. */
  loud: boolean;
}

export type TileNode = Node<TileData, "tile">;

interface NodesInput {
  trees: ReadonlyMap<string, TileTree>;
  drafts: ReadonlyMap<string, Layout>;
  selectedIds: ReadonlySet<string>;
  activeTileId: string | null;
}

/** The element of a tile that moves it. */
export const DRAG_HANDLE = "tile-title";

export function nodesOf(
  { trees, drafts, selectedIds, activeTileId }: NodesInput,
  before: ReadonlyMap<string, TileNode>,
): ReadonlyMap<string, TileNode> {
  const nodes = new Map<string, TileNode>();
  for (const { root, splits } of trees.values()) {
    const box = drafts.get(root.id) ?? root.layout;
    if (!box) continue;
    const node = nodeOf(root.id, box, dataOf([root, ...splits]), {
      selected: selectedIds.has(root.id),
      active: root.id === activeTileId,
    });
    const known = before.get(root.id);
    nodes.set(root.id, known && sameNode(known, node) ? known : node);
  }
  return nodes;
}

function nodeOf(
  id: string,
  box: Layout,
  data: TileData,
  { selected, active }: { selected: boolean; active: boolean },
): TileNode {
  return {
    id,
    type: "tile",
    position: { x: box.x, y: box.y },
    width: box.w,
    height: box.h,
    measured: { width: box.w, height: box.h },
    dragHandle: `.${DRAG_HANDLE}`,
    selected,
    zIndex: active ? 1 : 0,
    data,
  };
}

function dataOf(records: readonly TerminalRecord[]): TileData {
  const marks = records.map(markOf);
  const mark =
    marks.find(({ kind }) => kind === "awaiting") ?? marks.find(({ unread }) => unread) ?? busiest(marks);
  const loud = mark.kind === "awaiting" || mark.unread;
  const hue = mark.kind !== "awaiting" && mark.unread ? "amber" : SHAPES[mark.kind].hue;
  return { color: `var(--${hue})`, loud };
}

function busiest(marks: readonly Mark[]): Mark {
  return marks.find(({ kind }) => kind !== "shell") ?? marks[0]!;
}

function sameNode(a: TileNode, b: TileNode): boolean {
  return (
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    a.width === b.width &&
    a.height === b.height &&
    a.selected === b.selected &&
    a.zIndex === b.zIndex &&
    a.data.color === b.data.color &&
    a.data.loud === b.data.loud
  );
}

/** A step of a tile that is moved or resized by the keyboard. */
export const KEY_STEP_PX = GRID_PX;
