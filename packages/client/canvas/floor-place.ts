// Where the dots of the floor are drawn. They are painted once for a zoom and then only slid and scaled, until the camera
// is so much nearer or farther that they would blur: painting a screen of dots for each frame of a move costs more than
// everything else on the plane. Pure.

import { GRID_PX } from "@kolu/contract/plane/geometry.ts";
import type { Camera } from "./camera.ts";

/** How far the dots may be scaled before they are painted anew. */
const SCALE_MAX = 1.4;

export interface FloorPlace {
  /** The zoom at which the dots are painted. */
  paintedZoom: number;
  /** Layer's corner on the screen, and its scale. */
  x: number;
  y: number;
  scale: number;
}

export function placeFloor(camera: Camera, paintedZoom: number, resting: boolean): FloorPlace {
  const stretch = camera.zoom / paintedZoom;
  const stale = resting || stretch > SCALE_MAX || stretch < 1 / SCALE_MAX;
  const painted = stale ? camera.zoom : paintedZoom;
  const stepPx = GRID_PX * camera.zoom;
  // A dot lies in the middle of each square of the layer; one of them belongs where the plane begins.
  const corner = (at: number): number => (((at % stepPx) + stepPx) % stepPx) - 1.5 * stepPx;
  return { paintedZoom: painted, x: corner(camera.x), y: corner(camera.y), scale: camera.zoom / painted };
}

/** The size of a layer that covers the screen at every scale. */
export function floorSize(screen: { w: number; h: number }, paintedZoom: number): { w: number; h: number } {
  const reach = (px: number): number => Math.ceil(px * SCALE_MAX + 3 * GRID_PX * paintedZoom);
  return { w: reach(screen.w), h: reach(screen.h) };
}
