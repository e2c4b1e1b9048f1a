import { boundsOf, GRID_PX, overlaps, snap } from "@kolu/contract/plane/geometry.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arrange } from "./arrange.ts";

const tile = fc.record({
  id: fc.uuid(),
  group: fc.constantFrom("api", "web", "docs"),
  box: fc.record({
    x: fc.integer({ min: -2000, max: 2000 }),
    y: fc.integer({ min: -2000, max: 2000 }),
    w: fc.integer({ min: 300, max: 1200 }),
    h: fc.integer({ min: 200, max: 900 }),
  }),
});

test("arranged tiles keep their sizes, never overlap, and hang from the old corner", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(tile, { selector: (t) => t.id, minLength: 1, maxLength: 20, size: "max" }),
      (tiles) => {
        const placed = arrange(tiles);
        expect([...placed.keys()].sort()).toEqual(tiles.map((t) => t.id).sort());
        for (const { id, box } of tiles) expect(placed.get(id)).toMatchObject({ w: box.w, h: box.h });
        const boxes = [...placed.values()];
        for (const [i, a] of boxes.entries())
          for (const b of boxes.slice(i + 1)) expect(overlaps(a, b)).toBe(false);
        const before = boundsOf(tiles.map((t) => t.box))!;
        const after = boundsOf(boxes)!;
        expect([after.x, after.y]).toEqual([snap(before.x), snap(before.y)]);
        for (const b of boxes) expect([b.x % GRID_PX, b.y % GRID_PX].map(Math.abs)).toEqual([0, 0]);
      },
    ),
  );
});

test("tiles of one repository stand together", () => {
  const size = { w: 480, h: 360 };
  const groups = ["web", "api", "web", "api", "web", "api", "web", "api"];
  const tiles = groups.map((group, n) => ({ id: `t${n}`, group, box: { x: n * 500, y: 0, ...size } }));
  const placed = arrange(tiles);
  const island = (group: string) =>
    boundsOf(tiles.filter((t) => t.group === group).map((t) => placed.get(t.id)!))!;
  expect(overlaps(island("web"), island("api"))).toBe(false);
});

test("arranging what is arranged moves nothing", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(tile, { selector: (t) => t.id, minLength: 1, maxLength: 12, size: "max" }),
      (tiles) => {
        const once = arrange(tiles);
        const twice = arrange(tiles.map((t) => ({ ...t, box: once.get(t.id)! })));
        expect(twice).toEqual(once);
      },
    ),
  );
});
