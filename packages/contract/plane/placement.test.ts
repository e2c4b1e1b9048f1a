import fc from "fast-check";
import { expect, test } from "vitest";
import type { Layout } from "../terminal.ts";
import { boundsOf, GAP_PX, GRID_PX, overlaps } from "./geometry.ts";
import { placeTile } from "./placement.ts";

const box = fc.record({
  x: fc.integer({ min: -3000, max: 3000 }),
  y: fc.integer({ min: -3000, max: 3000 }),
  w: fc.integer({ min: 300, max: 1600 }),
  h: fc.integer({ min: 200, max: 1200 }),
});

test("a placed tile keeps a gap to every other, has the size asked for and lies on the grid", () => {
  fc.assert(
    fc.property(fc.array(box, { maxLength: 14, size: "max" }), box, (taken, wanted) => {
      const anchor = taken[0] ?? { x: 0, y: 0 };
      const placed = placeTile({ w: wanted.w, h: wanted.h }, anchor, taken);
      const walls = taken.map((b) => ({
        x: b.x - GAP_PX,
        y: b.y - GAP_PX,
        w: b.w + 2 * GAP_PX,
        h: b.h + 2 * GAP_PX,
      }));
      expect(walls.filter((wall) => overlaps(wall, placed))).toEqual([]);
      expect(placed).toMatchObject({ w: wanted.w, h: wanted.h });
      expect([placed.x % GRID_PX, placed.y % GRID_PX].map(Math.abs)).toEqual([0, 0]);
    }),
  );
});

const A: Layout = { x: 0, y: 0, w: 768, h: 552 };

test("the first neighbour goes to the right, in line, one gap away", () => {
  expect(placeTile(A, A, [A])).toEqual({ x: 792, y: 0, w: 768, h: 552 });
});

test("a hole that is large enough is filled before the outside", () => {
  const ring = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => ({ ...A, x: i * 792, y: j * 576 })));
  const withHole = ring.filter((b) => !(b.x === 792 && b.y === 0));
  expect(placeTile(A, A, withHole)).toEqual({ ...A, x: 792, y: 0 });
});

test("on an empty plane the tile is centred on the point", () => {
  const placed = placeTile({ w: 768, h: 552 }, { x: 400, y: 300 }, []);
  expect(Math.abs(placed.x + 384 - 400)).toBeLessThanOrEqual(GRID_PX);
  expect(Math.abs(placed.y + 276 - 300)).toBeLessThanOrEqual(GRID_PX);
});

test("tiles made one after another, each beside the last, become a block", () => {
  const placed: Layout[] = [A];
  for (let n = 1; n < 9; n++) placed.push(placeTile(A, placed.at(-1)!, placed));
  const bounds = boundsOf(placed)!;
  expect(bounds.w).toBeLessThanOrEqual(4 * 792);
  expect(bounds.h).toBeLessThanOrEqual(4 * 576);
});

test("a hundred tiles are placed one beside the other without overlap and stay together", () => {
  const placed: Layout[] = [A];
  for (let n = 1; n < 100; n++) placed.push(placeTile(A, placed[0]!, placed));
  for (const [i, a] of placed.entries())
    for (const b of placed.slice(i + 1)) expect(overlaps(a, b)).toBe(false);
  expect(Math.max(...placed.map((b) => Math.hypot(b.x, b.y)))).toBeLessThan(7 * 800);
});
