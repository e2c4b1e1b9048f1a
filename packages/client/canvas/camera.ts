// The camera: which part of the plane is on the screen. Pure. A canvas point p shows at p * zoom + (x, y).

import { boundsOf, centreOf, type Point } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { z } from "zod";

export const Camera = z.object({ x: z.number(), y: z.number(), zoom: z.number().positive() });
export type Camera = z.infer<typeof Camera>;

export interface Size {
  w: number;
  h: number;
}

export const ZOOM_MIN = 0.25;
export const ZOOM_MAX = 2;
/** Free space around what "fit" brings into view, in screen pixels; at the foot room for the strip of buttons. */
const FIT_MARGIN_PX = 24;
const FIT_FOOT_PX = 60;
/** One press of the zoom buttons. */
export const ZOOM_STEP = 1.25;

export function clampZoom(zoom: number): number {
  return Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));
}

/** Whole screen pixels, where a camera comes to rest: text and hairlines then fall on pixels. */
export function atRest(camera: Camera): Camera {
  return { ...camera, x: Math.round(camera.x), y: Math.round(camera.y) };
}

export function panBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx, y: camera.y + dy };
}

/** Zooms so that what lies under the screen point `at` stays there. */
export function zoomAt(camera: Camera, at: Point, zoom: number): Camera {
  const next = clampZoom(zoom);
  const ratio = next / camera.zoom;
  return { x: at.x - (at.x - camera.x) * ratio, y: at.y - (at.y - camera.y) * ratio, zoom: next };
}

/** Puts the centre of the box into the middle of the screen. */
export function centreOn(box: Layout, screen: Size, zoom: number): Camera {
  const centre = centreOf(box);
  return atRest({ x: screen.w / 2 - centre.x * zoom, y: screen.h / 2 - centre.y * zoom, zoom });
}

/** The largest zoom, at most 100 %, at which all boxes are on the screen; null when there are none. */
export function fit(boxes: Iterable<Layout>, screen: Size): Camera | null {
  const bounds = boundsOf(boxes);
  if (!bounds || screen.w <= 0 || screen.h <= 0) return null;
  const room = { w: screen.w - 2 * FIT_MARGIN_PX, h: screen.h - FIT_MARGIN_PX - FIT_FOOT_PX };
  const zoom = clampZoom(Math.min(room.w / bounds.w, room.h / bounds.h, 1));
  // What is small enough sits in the middle of the screen, the rest in the middle of the room.
  const wanted = FIT_FOOT_PX - (screen.h - bounds.h * zoom) / 2;
  const slack = Math.min(FIT_FOOT_PX - FIT_MARGIN_PX, Math.max(0, wanted));
  const centred = centreOn(bounds, screen, zoom);
  return { ...centred, y: centred.y - Math.round(slack) };
}

/** The part of the plane that is on the screen. */
export function viewOf(camera: Camera, screen: Size): Layout {
  return {
    x: -camera.x / camera.zoom,
    y: -camera.y / camera.zoom,
    w: screen.w / camera.zoom,
    h: screen.h / camera.zoom,
  };
}

export function toCanvas(camera: Camera, at: Point): Point {
  return { x: (at.x - camera.x) / camera.zoom, y: (at.y - camera.y) / camera.zoom };
}

/**
 * The camera that brings a box into view: unchanged when it is wholly visible, else centred on it, at a zoom at which
 * its text can be read and the box fits where that is possible.
 */
export function reveal(camera: Camera, box: Layout, screen: Size, readableZoom: number): Camera {
  const view = viewOf(camera, screen);
  const inside =
    box.x >= view.x &&
    box.y >= view.y &&
    box.x + box.w <= view.x + view.w &&
    box.y + box.h <= view.y + view.h;
  if (inside && camera.zoom >= readableZoom) return camera;
  const whole = Math.min(screen.w / box.w, screen.h / box.h);
  const zoom = clampZoom(Math.max(Math.min(camera.zoom, whole), Math.min(readableZoom, 1)));
  return centreOn(box, screen, zoom);
}

/** Exponential, so that as many notches out as in end where they began; bounded, so that one odd event cannot jump. */
export function wheelZoomFactor(deltaYPx: number): number {
  const bounded = Math.max(-WHEEL_ZOOM_MAX_PX, Math.min(WHEEL_ZOOM_MAX_PX, deltaYPx));
  return 2 ** (-bounded * WHEEL_ZOOM_RATE);
}

/** A pinch sends a few pixels an event, a notch of a wheel a hundred; a notch counts as this many. */
const WHEEL_ZOOM_MAX_PX = 25;
const WHEEL_ZOOM_RATE = 0.01;

/** Places between two cameras for a short move; `t` runs from 0 to 1. Zoom moves exponentially. */
export function between(from: Camera, to: Camera, t: number): Camera {
  const eased = t * t * (3 - 2 * t);
  return {
    x: from.x + (to.x - from.x) * eased,
    y: from.y + (to.y - from.y) * eased,
    zoom: from.zoom * (to.zoom / from.zoom) ** eased,
  };
}
