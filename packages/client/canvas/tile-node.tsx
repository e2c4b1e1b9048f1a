// A tile's place on the plane: the tile itself, or its card from afar, with handles to resize it.

import { sameBox, snapResized, TILE_MIN } from "@kolu/contract/plane/geometry.ts";
import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { type NodeProps, NodeResizer } from "@xyflow/react";
import { type JSX, memo } from "react";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { Card } from "../tile/card.tsx";
import { Tile } from "../tile/tile.tsx";
import { useTree } from "../tile/trees.ts";
import { useCamera } from "./camera-store.ts";
import { commitLayouts, draftLayouts, useLayouts } from "./layouts.ts";
import type { TileNode } from "./nodes.ts";
import { openTile } from "./view-actions.ts";

export const TileNodeView = memo(function TileNodeView({ id }: NodeProps<TileNode>): JSX.Element | null {
  const tree = useTree(id);
  const draft = useLayouts(({ drafts }) => drafts.get(id) ?? null);
  const zoom = useCamera(({ settledZoom }) => settledZoom);
  const cards = useCamera((camera) => camera.cards);
  const maximised = useMaximisedTileId() === id;
  const active = useUi(({ activeId }) => activeId !== null && isOf(activeId, id));
  const box = draft ?? tree?.root.layout ?? null;
  if (!tree || !box || maximised) return null;
  return (
    <>
      <NodeResizer
        minWidth={TILE_MIN.w}
        minHeight={TILE_MIN.h}
        autoScale
        lineClassName="resize-line"
        handleClassName="resize-handle"
        onResize={(_event, to) => draftLayouts([[id, toBox(to)]])}
        onResizeEnd={(_event, to) => finishResize(id, toBox(to))}
      />
      {cards ? (
        <Card {...tree} box={box} zoom={zoom} active={active} onOpen={() => openTile(id)} />
      ) : (
        <Tile {...tree} box={box} zoom={zoom} maximised={false} />
      )}
    </>
  );
});

function toBox({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Layout {
  return { x, y, w: width, h: height };
}

function finishResize(id: string, after: Layout): void {
  const before = useWorkspace.getState().records.get(id)?.layout;
  if (!before) return;
  const snapped = snapResized(before, after);
  commitLayouts(new Map([[id, sameBox(before, after) ? before : snapped]]));
}

function isOf(terminalId: string, tileId: string): boolean {
  return tileIdOf(useWorkspace.getState().records, terminalId) === tileId;
}

/** The tile that covers the plane: the one of the maximised terminal, while it is there. */
export function useMaximisedTileId(): string | null {
  const maximisedId = useUi((ui) => ui.maximisedId);
  return useWorkspace(({ records }) =>
    maximisedId !== null && records.has(maximisedId) ? tileIdOf(records, maximisedId) : null,
  );
}
