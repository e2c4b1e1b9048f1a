// What a person asks of the view: fit, zoom, go to a tile. For buttons, chords and the palette alike.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { centreOn, ZOOM_STEP } from "./camera.ts";
import { fitBoxes, flyTo, revealBox, useCamera, zoomTo } from "./camera-store.ts";
import { boxOf, placedTiles } from "./layouts.ts";
import { tilesMeant } from "./selection.ts";

export function fitAll(): void {
  fitBoxes(placedTiles().map(({ box }) => box));
}

/** Brings the selected tiles into view, or the active one where none is selected. */
export function fitSelection(): void {
  fitBoxes(
    tilesMeant().flatMap((id) => {
      const box = boxOf(id);
      return box ? [box] : [];
    }),
  );
}

export function zoomIn(): void {
  zoomTo(useCamera.getState().camera.zoom * ZOOM_STEP);
}

export function zoomOut(): void {
  zoomTo(useCamera.getState().camera.zoom / ZOOM_STEP);
}

export function zoomReset(): void {
  zoomTo(1);
}

/** Brings the tile of a terminal into view, if it is not. False while it has no place yet. */
export function revealTerminal(id: string): boolean {
  const box = boxOf(tileIdOf(useWorkspace.getState().records, id));
  if (box) revealBox(box);
  return box !== null;
}

/** Goes to a tile at a size at which it is worked in. */
export function openTile(tileId: string): void {
  const box = boxOf(tileId);
  const { screen } = useCamera.getState();
  if (!box) return;
  const zoom = Math.min(1, screen.w / box.w, screen.h / box.h);
  flyTo(centreOn(box, screen, Math.max(0.5, zoom)));
  useUi.getState().setActive(tileId);
}
