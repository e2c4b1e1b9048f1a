import fc from "fast-check";
import { expect, test } from "vitest";
import { boundsOf, GRID_PX, snapMoved, snapResized, TILE_MIN } from "./geometry.ts";

const cases: Record<string, [before: number[], after: number[], snapped: number[]]> = {
  "a dragged right edge snaps and the left one stays": [
    [5, 7, 480, 360],
    [5, 7, 500, 360],
    [5, 7, 499, 360],
  ],
  "a dragged left edge snaps and the right one stays": [
    [48, 48, 480, 360],
    [60, 48, 468, 360],
    [72, 48, 456, 360],
  ],
  "a side never falls below the minimum": [
    [0, 0, 480, 360],
    [0, 0, 250, 150],
    [0, 0, 312, 216],
  ],
};

for (const [name, [before, after, snapped]] of Object.entries(cases)) {
  test(name, () => expect(snapResized(box(before), box(after))).toEqual(box(snapped)));
}

function box([x, y, w, h]: number[]) {
  return { x: x!, y: y!, w: w!, h: h! };
}

test("a moved tile lies on the grid and keeps its size", () => {
  expect(snapMoved({ x: 13, y: -11, w: 333, h: 222 })).toEqual({ x: 24, y: 0, w: 333, h: 222 });
});

test("resizing from any handle keeps the edges that were not dragged", () => {
  const side = fc.integer({ min: -200, max: 200 });
  fc.assert(
    fc.property(side, side, (dx, dy) => {
      const before = { x: 48, y: 72, w: 600, h: 480 };
      const after = snapResized(before, { ...before, w: 600 + dx, h: 480 + dy });
      expect([after.x, after.y]).toEqual([48, 72]);
      expect(after.w).toBeGreaterThanOrEqual(TILE_MIN.w);
      expect(Math.abs((after.x + after.w) % GRID_PX) === 0 || dx === 0).toBe(true);
    }),
  );
});

test("nothing has no bounds", () => expect(boundsOf([])).toBeNull());
