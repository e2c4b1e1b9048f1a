// Making terminals from the page.

import type { CreateParams } from "@kolu/contract/padi.ts";
import { type Point, TILE_DEFAULT } from "@kolu/contract/plane/geometry.ts";
import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { fontsReady, measureCell } from "../terminal/fonts.ts";
import { gridFor } from "../terminal/geometry.ts";
import { activate } from "../tile/actions.ts";
import { anatomyOf } from "../tile/anatomy.ts";
import { toCanvas } from "./camera.ts";
import { useCamera } from "./camera-store.ts";
import { boxOf } from "./layouts.ts";
import { sayFailure } from "./notices.ts";

/** A plain shell where the active one is, with the keyboard, as large as the active one and near it. Failures are said on the canvas. */
export async function newTerminal(): Promise<void> {
  const cwd = activeRecord()?.cwd;
  try {
    const { id } = await padi().call("terminal.create", {
      ...(await placeOfNext()),
      ...(cwd === undefined ? {} : { cwd }),
    });
    showNew(id);
  } catch (error) {
    sayFailure("The terminal could not be made")(error);
  }
}

/** Where the next tile goes, how large it is, and whose look it takes. */
export async function placeOfNext(
  at?: Point,
): Promise<Pick<CreateParams, "placement" | "place" | "cols" | "rows" | "from">> {
  const active = activeRecord();
  const { records, preferences } = useWorkspace.getState();
  const tile = active && records.get(tileIdOf(records, active.id));
  const size = (tile && boxOf(tile.id)) ?? TILE_DEFAULT;
  await fontsReady;
  return {
    placement: { kind: "toplevel" },
    place: {
      size: { w: size.w, h: size.h },
      ...(tile && !at ? { besideId: tile.id } : { at: at ?? middleOfView() }),
    },
    ...gridFor(anatomyOf(size, false).body, measureCell(preferences.fontPx)),
    ...(active === undefined ? {} : { from: active.id }),
  };
}

/** Gives a terminal that was just made the keyboard, and brings it into view. */
export function showNew(id: string): void {
  activate(id);
  useUi.getState().setActive(id, { reveal: true });
}

function activeRecord(): TerminalRecord | undefined {
  const { activeId } = useUi.getState();
  return activeId === null ? undefined : useWorkspace.getState().records.get(activeId);
}

function middleOfView(): Point {
  const { camera, screen } = useCamera.getState();
  return toCanvas(camera, { x: screen.w / 2, y: screen.h / 2 });
}
