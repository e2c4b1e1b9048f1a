// Making terminals from the page.
import { type Point, TILE_DEFAULT } from "@kolu/contract/plane/geometry.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { fontsReady, measureCell } from "../terminal/fonts.ts";
import { gridFor } from "../terminal/geometry.ts";
import { activate } from "../tile/actions.ts";
import { anatomyOf } from "../tile/anatomy.ts";
import { tileIdOf } from "../tile/splits.ts";
import { toCanvas } from "./camera.ts";
import { useCamera } from "./camera-store.ts";
import { boxOf } from "./layouts.ts";
import { sayFailure } from "./notices.ts";

export interface NewTerminal {
  /** Where, in canvas pixels; absent: beside the active tile. */
  at?: Point;
  cwd?: string;
  argv?: string[];
  /** Typed at the first prompt. */
  run?: string;
}

/** A new tile with the keyboard, as large as the active one and near it. Failures are said on the canvas. */
export async function newTerminal({ at, ...wish }: NewTerminal = {}): Promise<void> {
  const { records, preferences } = useWorkspace.getState();
  const { activeId } = useUi.getState();
  const active = activeId === null ? undefined : records.get(activeId);
  const tile = active && records.get(tileIdOf(records, active.id));
  const size = (tile && boxOf(tile.id)) ?? TILE_DEFAULT;
  await fontsReady;
  const grid = gridFor(anatomyOf(size, false).body, measureCell(preferences.fontPx));
  const cwd = wish.cwd ?? active?.cwd;
  try {
    const { id } = await padi().call("terminal.create", {
      placement: { kind: "toplevel" },
      place: {
        size: { w: size.w, h: size.h },
        ...(tile && !at ? { besideId: tile.id } : { at: at ?? middleOfView() }),
      },
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

function middleOfView(): Point {
  const { camera, screen } = useCamera.getState();
  return toCanvas(camera, { x: screen.w / 2, y: screen.h / 2 });
}
