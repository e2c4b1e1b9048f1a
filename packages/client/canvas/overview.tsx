// The minimap with its strip: state hues of all tiles, the view as a rectangle; drag to pan, click to go.

import type { Point } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { type JSX, type PointerEvent, useRef } from "react";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { Icon, type IconName } from "../tile/icon.tsx";
import { treesOf } from "../tile/trees.ts";
import { centreOn, viewOf } from "./camera.ts";
import { flyTo, setCamera, useCamera } from "./camera-store.ts";
import { arrangeByRepo, redoLayout, undoLayout, useLayouts } from "./layouts.ts";
import { nodesOf, type TileNode } from "./nodes.ts";
import { fromMap, type OverviewMap, overviewMap, toMap } from "./overview-map.ts";
import { fitAll, zoomIn, zoomOut, zoomReset } from "./view-actions.ts";

const MAP = { w: 184, h: 116 };
const NONE: ReadonlySet<string> = new Set();
/** A press that moves less than this is a click. */
const DRAG_THRESHOLD_PX = 3;

export function Overview(): JSX.Element | null {
  const tileCount = useWorkspace(({ records }) => treesOf(records).size);
  if (tileCount === 0) return null;
  return (
    <aside className="overview" aria-label="Overview of the canvas">
      {tileCount > 1 && <Minimap />}
      <Strip many={tileCount > 1} />
    </aside>
  );
}

function Minimap(): JSX.Element | null {
  const nodes = useMapNodes();
  const camera = useCamera((state) => state.camera);
  const screen = useCamera((state) => state.screen);
  const shownView = viewOf(camera, screen);
  // With everything in view the plane is its own map.
  if (nodes.every((node) => isWithin(boxOfNode(node), shownView))) return null;
  return <MapOf nodes={nodes} view={shownView} />;
}

function isWithin(box: Layout, view: Layout): boolean {
  return (
    box.x >= view.x && box.y >= view.y && box.x + box.w <= view.x + view.w && box.y + box.h <= view.y + view.h
  );
}

function MapOf({ nodes, view: shownView }: { nodes: readonly TileNode[]; view: Layout }): JSX.Element {
  const map = overviewMap(nodes.map(boxOfNode), shownView, MAP);
  const hand = useMapHand(map, nodes);
  return (
    <svg className="minimap" viewBox={`0 0 ${MAP.w} ${MAP.h}`} role="img" aria-label="Minimap" {...hand}>
      {nodes.map((node) => {
        const { x, y, w, h } = toMap(map, boxOfNode(node));
        return (
          <rect
            key={node.id}
            className="minimap-tile"
            data-loud={node.data.loud || undefined}
            data-active={node.zIndex === 1 || undefined}
            x={x}
            y={y}
            width={w}
            height={h}
            rx={1.5}
            style={{ fill: node.data.color }}
          />
        );
      })}
      <ViewRect box={toMap(map, shownView)} />
    </svg>
  );
}

function ViewRect({ box: { x, y, w, h } }: { box: Layout }): JSX.Element {
  return <rect className="minimap-view" x={x} y={y} width={w} height={h} rx={2} />;
}

function useMapNodes(): TileNode[] {
  const records = useWorkspace((workspace) => workspace.records);
  const drafts = useLayouts((layouts) => layouts.drafts);
  const activeTileId = useUi((ui) => ui.activeId);
  const known = useRef<ReadonlyMap<string, TileNode>>(new Map());
  known.current = nodesOf(
    { trees: treesOf(records), drafts, selectedIds: NONE, activeTileId },
    known.current,
  );
  return [...known.current.values()];
}

function boxOfNode({ position, width, height }: TileNode): Layout {
  return { ...position, w: width!, h: height! };
}

/** Press and drag pans with the pointer in the middle of the view; a press that stays goes to the tile under it. */
function useMapHand(map: OverviewMap, nodes: readonly TileNode[]) {
  const press = useRef<{ at: Point; map: OverviewMap; moved: boolean } | null>(null);
  const lookAt = ({ x, y }: Point): void => {
    const { camera, screen } = useCamera.getState();
    setCamera(centreOn({ x, y, w: 0, h: 0 }, screen, camera.zoom));
  };
  return {
    onPointerDown(event: PointerEvent<SVGSVGElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      // The map follows the view while it is dragged; the hand keeps the one it began on.
      press.current = { at: pointOn(event), map, moved: false };
    },
    onPointerMove(event: PointerEvent<SVGSVGElement>) {
      const held = press.current;
      if (!held) return;
      const at = pointOn(event);
      held.moved ||= Math.hypot(at.x - held.at.x, at.y - held.at.y) >= DRAG_THRESHOLD_PX;
      if (held.moved) lookAt(fromMap(held.map, at));
    },
    onPointerUp(event: PointerEvent<SVGSVGElement>) {
      const held = press.current;
      press.current = null;
      if (!held || held.moved) return;
      const at = fromMap(held.map, pointOn(event));
      const hit = nodes.findLast((node) => contains(boxOfNode(node), at));
      if (hit) useUi.getState().setActive(hit.id);
      const { camera, screen } = useCamera.getState();
      flyTo(centreOn(hit ? boxOfNode(hit) : { ...at, w: 0, h: 0 }, screen, camera.zoom));
    },
    onPointerCancel() {
      press.current = null;
    },
  };
}

function pointOn(event: PointerEvent<SVGSVGElement>): Point {
  const frame = event.currentTarget.getBoundingClientRect();
  return {
    x: ((event.clientX - frame.left) / frame.width) * MAP.w,
    y: ((event.clientY - frame.top) / frame.height) * MAP.h,
  };
}

function contains(box: Layout, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
}

function Strip({ many }: { many: boolean }): JSX.Element {
  const percent = useCamera(({ camera }) => Math.round(camera.zoom * 100));
  const canUndo = useLayouts(({ history }) => history.past.length > 0);
  const canRedo = useLayouts(({ history }) => history.future.length > 0);
  return (
    <div className="strip">
      <StripButton icon="minus" label="Zoom out" onClick={zoomOut} />
      <button type="button" className="strip-percent" title="Back to 100 %" onClick={zoomReset}>
        {percent} %
      </button>
      <StripButton icon="plus" label="Zoom in" onClick={zoomIn} />
      <span className="strip-gap" />
      {canUndo && <StripButton icon="undo" label="Undo the last change of the layout" onClick={undoLayout} />}
      {canRedo && <StripButton icon="redo" label="Redo" onClick={redoLayout} />}
      {many && <StripButton icon="arrange" label="Arrange by repository" onClick={arrangeAndFit} />}
      <StripButton icon="fit" label="Fit all" onClick={fitAll} />
    </div>
  );
}

function arrangeAndFit(): void {
  arrangeByRepo();
  fitAll();
}

function StripButton({
  icon,
  label,
  onClick,
}: {
  icon: IconName;
  label: string;
  onClick(): void;
}): JSX.Element {
  return (
    <button type="button" className="strip-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
