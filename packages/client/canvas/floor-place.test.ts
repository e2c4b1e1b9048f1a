import { GRID_PX } from "@kolu/contract/plane/geometry.ts";
import { expect, test } from "vitest";
import { floorSize, placeFloor } from "./floor-place.ts";

const screen = { w: 1600, h: 1000 };

test("at every place and zoom a dot lies where the plane begins, and the layer covers the screen", () => {
  for (const zoom of [0.25, 0.43, 1, 1.7, 2])
    for (const paintedZoom of [0.3, 1, 1.5])
      for (const [x, y] of [
        [0, 0],
        [-713.5, 88],
        [5_000, -12_345],
      ] as const) {
        const place = placeFloor({ x, y, zoom }, paintedZoom, false);
        const stepPx = GRID_PX * zoom;
        const dots = (x - (place.x + stepPx / 2)) / stepPx;
        expect(Math.abs(dots - Math.round(dots))).toBeLessThan(1e-6);
        const size = floorSize(screen, place.paintedZoom);
        expect(place.x).toBeLessThanOrEqual(0);
        expect(place.x + size.w * place.scale).toBeGreaterThanOrEqual(screen.w);
        expect(place.y + size.h * place.scale).toBeGreaterThanOrEqual(screen.h);
      }
});

test("dots are painted anew at rest and when the zoom has gone far, not for each step of it", () => {
  expect(placeFloor({ x: 0, y: 0, zoom: 1.2 }, 1, false)).toMatchObject({ paintedZoom: 1, scale: 1.2 });
  expect(placeFloor({ x: 0, y: 0, zoom: 1.2 }, 1, true)).toMatchObject({ paintedZoom: 1.2, scale: 1 });
  expect(placeFloor({ x: 0, y: 0, zoom: 1.5 }, 1, false)).toMatchObject({ paintedZoom: 1.5, scale: 1 });
  expect(placeFloor({ x: 0, y: 0, zoom: 0.6 }, 1, false)).toMatchObject({ paintedZoom: 0.6, scale: 1 });
});
