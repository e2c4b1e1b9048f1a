// The plane: tiles on React Flow, with our own camera, wheel and layout.
import "@xyflow/react/dist/style.css";
import { snapMoved } from "@kolu/contract/plane/geometry.ts";
import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { type NodeChange, ReactFlow, type ReactFlowInstance, SelectionMode } from "@xyflow/react";
import { type JSX, type MouseEvent, useCallback, useEffect, useMemo, useRef } from "react";
import { addActions } from "../keys/actions.ts";
import { openLaunch } from "../launch/wish.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { followWorkspace, sessionOf } from "../terminal/sessions.ts";
import { followActive } from "../tile/tabs-store.ts";
import { Tile } from "../tile/tile.tsx";
import { TILE_ACTIONS } from "../tile/tile-actions.ts";
import { treesOf, useTree } from "../tile/trees.ts";
import { toCanvas, ZOOM_MAX, ZOOM_MIN } from "./camera.ts";
import { fitBoxes, placeCamera, setCamera, setScreen, useCamera } from "./camera-store.ts";
import { Floor } from "./floor.tsx";
import { CanvasKeys } from "./keyboard.tsx";
import { boxOf, commitLayouts, draftLayouts, placedTiles, useLayouts } from "./layouts.ts";
import { followLives } from "./lives.ts";
import { nodesOf, type TileNode } from "./nodes.ts";
import { Overview } from "./overview.tsx";
import { changeSelection, useSelection } from "./selection.ts";
import { TileNodeView, useMaximisedTileId } from "./tile-node.tsx";
import { useWheel } from "./use-wheel.ts";
import { revealTerminal } from "./view-actions.ts";
import "./canvas.css";

const nodeTypes = { tile: TileNodeView };
const proOptions = { hideAttribution: true };
/** Held while a title bar is clicked, they add to what is selected; over the floor Shift draws a box. */
const MULTI_KEYS = ["Shift", "Meta", "Control"];
/** Left and middle button on the floor; the middle one also pans over tiles. */
const panButtons = [0, 1];

export function Canvas(): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const maximisedTileId = useMaximisedTileId();
  useScreenSize(frame);
  useWheel(frame);
  useEffect(followLives, []);
  useEffect(followWorkspace, []);
  useEffect(followActive, []);
  useEffect(() => addActions(TILE_ACTIONS), []);
  useFirstLook();
  useReveal();
  return (
    <div ref={frame} className="canvas" data-maximised={maximisedTileId !== null || undefined}>
      <Plane hidden={maximisedTileId !== null} />
      {maximisedTileId === null ? <Overview /> : <MaximisedTile id={maximisedTileId} />}
      <CanvasKeys frame={frame} />
    </div>
  );
}

function Plane({ hidden }: { hidden: boolean }): JSX.Element {
  const plane = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<TileNode> | null>(null);
  const { nodes, onNodesChange } = useNodes();
  const first = useMemo(() => useCamera.getState().camera, []);
  useEffect(
    () =>
      useCamera.subscribe(({ camera, moving }, before) => {
        if (camera !== before.camera) void flow.current?.setViewport(camera);
        if (moving !== before.moving) plane.current?.toggleAttribute("data-moving", moving);
      }),
    [],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a new terminal also has a button and a chord
    <div ref={plane} className="plane" inert={hidden} onDoubleClick={onFloorDoubleClick}>
      <Floor />
      <ReactFlow<TileNode>
        nodes={nodes}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onInit={(instance) => {
          flow.current = instance;
          void instance.setViewport(useCamera.getState().camera);
        }}
        // Only hands have an event: what we tell React Flow ourselves comes back without one.
        onMove={(event, viewport) => {
          if (event) setCamera(viewport);
        }}
        defaultViewport={first}
        minZoom={ZOOM_MIN}
        maxZoom={ZOOM_MAX}
        panOnDrag={panButtons}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        selectionMode={SelectionMode.Partial}
        multiSelectionKeyCode={MULTI_KEYS}
        deleteKeyCode={null}
        disableKeyboardA11y
        autoPanOnNodeFocus={false}
        nodesConnectable={false}
        elevateNodesOnSelect={false}
        nodeDragThreshold={2}
        proOptions={proOptions}
      />
    </div>
  );
}

function onFloorDoubleClick(event: MouseEvent): void {
  if (!(event.target as Element).classList.contains("react-flow__pane")) return;
  const floor = event.currentTarget.getBoundingClientRect();
  const at = { x: event.clientX - floor.left, y: event.clientY - floor.top };
  openLaunch({ at: toCanvas(useCamera.getState().camera, at) });
}

/** The nodes, and what React Flow says about hands on them. */
function useNodes(): { nodes: TileNode[]; onNodesChange(changes: NodeChange<TileNode>[]): void } {
  const records = useWorkspace((workspace) => workspace.records);
  const drafts = useLayouts((layouts) => layouts.drafts);
  const activeId = useUi((ui) => ui.activeId);
  const selectedIds = useSelection((selection) => selection.ids);
  const known = useRef<ReadonlyMap<string, TileNode>>(new Map());
  const list = useRef<TileNode[]>([]);
  const activeTileId = activeId === null ? null : tileIdOf(records, activeId);
  known.current = nodesOf({ trees: treesOf(records), drafts, selectedIds, activeTileId }, known.current);
  const next = [...known.current.values()];
  if (next.length !== list.current.length || next.some((node, index) => node !== list.current[index]))
    list.current = next;

  const onNodesChange = useCallback((changes: NodeChange<TileNode>[]) => {
    const dragged = changes.flatMap((change) => {
      const box = change.type === "position" ? boxOf(change.id) : null;
      if (change.type !== "position" || !box || change.dragging === undefined) return [];
      return [{ id: change.id, box: { ...box, ...change.position }, held: change.dragging }];
    });
    const held = dragged.filter((drag) => drag.held);
    const dropped = dragged.filter((drag) => !drag.held);
    if (held.length > 0) draftLayouts(held.map(({ id, box }) => [id, box]));
    if (dropped.length > 0) commitLayouts(new Map(dropped.map(({ id, box }) => [id, snapMoved(box)])));
    const selections = changes.filter((change) => change.type === "select");
    if (selections.length > 0) changeSelection(selections);
  }, []);
  return { nodes: list.current, onNodesChange };
}

function MaximisedTile({ id }: { id: string }): JSX.Element | null {
  const tree = useTree(id);
  const { w, h } = useCamera((camera) => camera.screen);
  if (!tree || w === 0) return null;
  return <Tile {...tree} box={{ x: 0, y: 0, w, h }} zoom={1} maximised />;
}

function useScreenSize(frame: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setScreen({ w: element.clientWidth, h: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
}

/** The first look at the plane, and another one when the first tile comes to an empty plane. */
function useFirstLook(): void {
  const records = useWorkspace((workspace) => workspace.records);
  const told = useWorkspace((workspace) => workspace.told.records);
  const measured = useCamera(({ screen }) => screen.w > 0);
  const wasEmpty = useRef(false);
  useEffect(() => {
    if (!told || !measured) return;
    const boxes = placedTiles(records).map(({ box }) => box);
    if (boxes.length > 0) {
      if (wasEmpty.current) fitBoxes(boxes);
      else placeCamera(boxes);
    }
    wasEmpty.current = boxes.length === 0;
  }, [records, told, measured]);
}

/** Brings the active terminal into view when somebody asked for that, as soon as it has a place. */
function useReveal(): void {
  const revealCount = useUi((ui) => ui.revealCount);
  const records = useWorkspace((workspace) => workspace.records);
  const done = useRef(revealCount);
  useEffect(() => {
    const { activeId } = useUi.getState();
    if (done.current === revealCount || activeId === null || !records.has(activeId)) return;
    if (!revealTerminal(activeId)) return;
    done.current = revealCount;
    sessionOf(activeId).focus();
  }, [revealCount, records]);
}
