import fc from "fast-check";
import { expect, test } from "vitest";
import { fromMap, overviewMap, toMap } from "./overview-map.ts";

const box = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  w: fc.integer({ min: 300, max: 1600 }),
  h: fc.integer({ min: 200, max: 1200 }),
});
const map = { w: 180, h: 120 };

test("all tiles and the view are on the map, and a point of it leads back to the plane", () => {
  fc.assert(
    fc.property(fc.array(box, { maxLength: 10, size: "max" }), box, (boxes, view) => {
      const made = overviewMap(boxes, view, map);
      for (const each of [...boxes, view]) {
        const drawn = toMap(made, each);
        expect(drawn.x).toBeGreaterThanOrEqual(-1e-6);
        expect(drawn.y + drawn.h).toBeLessThanOrEqual(map.h + 1e-6);
        const back = fromMap(made, drawn);
        expect(Math.hypot(back.x - each.x, back.y - each.y)).toBeLessThan(1e-6);
      }
    }),
  );
});
