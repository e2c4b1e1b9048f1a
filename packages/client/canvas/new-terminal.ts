// Making terminals from the page: as large as the active tile, in the nearest free place beside it.
import type { Layout } from "@kolu/contract/terminal.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { fontsReady, measureCell } from "../terminal/fonts.ts";
import { gridFor } from "../terminal/geometry.ts";
import { activate } from "../tile/actions.ts";
import { anatomyOf } from "../tile/anatomy.ts";
import { tileIdOf } from "../tile/splits.ts";
import { treesOf } from "../tile/trees.ts";
import { toCanvas } from "./camera.ts";
import { useCamera } from "./camera-store.ts";
import { boundsOf, type Point, TILE_DEFAULT } from "./geometry.ts";
import { boxOf, placedTiles, settleNewTiles } from "./layouts.ts";
import { sayFailure } from "./notices.ts";
import { placeTile } from "./placement.ts";

export interface NewTerminal {
  /** Where, in canvas pixels; absent: beside the active tile. */
  at?: Point;
  cwd?: string;
  argv?: string[];
  /** Typed at the first prompt. */
  run?: string;
}

/** A new tile with the keyboard. Failures are said on the canvas. */
export async function newTerminal({ at, ...wish }: NewTerminal = {}): Promise<void> {
  const { records, preferences } = useWorkspace.getState();
  const { activeId } = useUi.getState();
  const active = activeId === null ? undefined : records.get(activeId);
  const layout = nextPlace(at ?? null);
  await fontsReady;
  const grid = gridFor(anatomyOf(layout, false).body, measureCell(preferences.fontPx));
  const cwd = wish.cwd ?? active?.cwd;
  try {
    const { id } = await padi().call("terminal.create", {
      placement: { kind: "toplevel" },
      layout,
      ...grid,
      ...wish,
      ...(cwd === undefined ? {} : { cwd }),
      ...(active === undefined ? {} : { from: active.id }),
    });
    activate(id);
    useUi.getState().setActive(id, { reveal: true });
  } catch (error) {
    sayFailure("The terminal could not be made")(error);
  }
}

/** The place of the next tile: the active tile's size, nearest to it (or to the point), and free. */
function nextPlace(at: Point | null): Layout {
  const { records } = useWorkspace.getState();
  const { activeId } = useUi.getState();
  const activeBox = activeId === null ? null : boxOf(tileIdOf(records, activeId));
  const size = activeBox ?? TILE_DEFAULT;
  return placeTile(
    size,
    at ?? activeBox ?? middleOfView(),
    placedTiles().map(({ box }) => box),
  );
}

function middleOfView(): Point {
  const { camera, screen } = useCamera.getState();
  return toCanvas(camera, { x: screen.w / 2, y: screen.h / 2 });
}

/** Tiles made elsewhere (in a shell, by an agent) come without a place: each gets one, in order of creation. */
export function placeNewcomers(): void {
  const { records } = useWorkspace.getState();
  const taken = placedTiles(records).map(({ box }) => box);
  const places = new Map<string, Layout>();
  for (const { root } of treesOf(records).values()) {
    if (root.layout) continue;
    const place = placeTile(taken.at(-1) ?? TILE_DEFAULT, middleOf(taken) ?? middleOfView(), taken);
    taken.push(place);
    places.set(root.id, place);
  }
  settleNewTiles(places);
}

/** A tile's box in the middle of all. */
function middleOf(boxes: readonly Layout[]): Layout | null {
  const bounds = boundsOf(boxes);
  return bounds && { ...bounds, x: bounds.x + bounds.w / 2, y: bounds.y + bounds.h / 2, w: 0, h: 0 };
}
