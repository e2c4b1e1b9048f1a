// Points and boxes of the plane, in canvas pixels, and the grid that tiles lie on. Pure.
import type { Layout } from "../terminal.ts";

export interface Point {
  x: number;
  y: number;
}

/** Pitch of the dot grid; tiles snap to it. */
export const GRID_PX = 24;
/** Room left between two tiles that kolu places itself. */
export const GAP_PX = 24;
/** Below this a tile's title bar has no room for its words. */
export const TILE_MIN = { w: 300, h: 200 };
/** The first tile of a workspace: about 88 by 26 cells at the default font. */
export const TILE_DEFAULT = { w: 768, h: 552 };

export function snap(value: number): number {
  return Math.round(value / GRID_PX) * GRID_PX + 0; // no -0
}

export function snapUp(value: number): number {
  return Math.ceil(value / GRID_PX) * GRID_PX + 0; // no -0
}

export function snapDown(value: number): number {
  return Math.floor(value / GRID_PX) * GRID_PX + 0; // no -0
}

/** A moved tile: its corner goes to the grid, its size stays. */
export function snapMoved(box: Layout): Layout {
  return { ...box, x: snap(box.x), y: snap(box.y) };
}

/**
 * A resized tile: only edges that moved go to the grid, the opposite ones stay where they were, and no side falls
 * below the minimum.
 */
export function snapResized(before: Layout, after: Layout): Layout {
  const x = snapAxis({ start: before.x, length: before.w }, { start: after.x, length: after.w }, TILE_MIN.w);
  const y = snapAxis({ start: before.y, length: before.h }, { start: after.y, length: after.h }, TILE_MIN.h);
  return { x: x.start, w: x.length, y: y.start, h: y.length };
}

interface Span {
  start: number;
  length: number;
}

function snapAxis(before: Span, after: Span, minPx: number): Span {
  const endBefore = before.start + before.length;
  const endAfter = after.start + after.length;
  let start = after.start === before.start ? before.start : snap(after.start);
  let end = endAfter === endBefore ? endBefore : snap(endAfter);
  if (end - start < minPx) {
    if (after.start === before.start) end = start + snapUp(minPx);
    else start = end - snapUp(minPx);
  }
  return { start, length: end - start };
}

/** Whether two boxes share any area; touching edges do not. */
export function overlaps(a: Layout, b: Layout): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** The smallest box around all of them, or null for none. */
export function boundsOf(boxes: Iterable<Layout>): Layout | null {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.w);
    bottom = Math.max(bottom, box.y + box.h);
  }
  return left === Infinity ? null : { x: left, y: top, w: right - left, h: bottom - top };
}

export function centreOf(box: Layout): Point {
  return { x: box.x + box.w / 2, y: box.y + box.h / 2 };
}

export function sameBox(a: Layout, b: Layout): boolean {
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;
}
