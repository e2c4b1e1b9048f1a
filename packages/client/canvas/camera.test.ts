import fc from "fast-check";
import { expect, test } from "vitest";
import {
  between,
  fit,
  reveal,
  toCanvas,
  viewOf,
  wheelZoomFactor,
  ZOOM_MAX,
  ZOOM_MIN,
  zoomAt,
} from "./camera.ts";

const camera = fc.record({
  x: fc.integer({ min: -5000, max: 5000 }),
  y: fc.integer({ min: -5000, max: 5000 }),
  zoom: fc.double({ min: ZOOM_MIN, max: ZOOM_MAX, noNaN: true }),
});
const point = fc.record({ x: fc.integer({ min: 0, max: 1600 }), y: fc.integer({ min: 0, max: 1000 }) });
const screen = { w: 1600, h: 1000 };

test("what lies under the pointer stays there while zooming", () => {
  fc.assert(
    fc.property(camera, point, fc.double({ min: 0.01, max: 10, noNaN: true }), (before, at, zoom) => {
      const after = zoomAt(before, at, zoom);
      const was = toCanvas(before, at);
      const is = toCanvas(after, at);
      expect(Math.hypot(was.x - is.x, was.y - is.y)).toBeLessThan(1e-6);
      expect(after.zoom).toBeGreaterThanOrEqual(ZOOM_MIN);
      expect(after.zoom).toBeLessThanOrEqual(ZOOM_MAX);
    }),
  );
});

test("as many notches out as in end at the same zoom, and no event turns the zoom over", () => {
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 10_000 }), (delta) => {
      expect(wheelZoomFactor(delta) * wheelZoomFactor(-delta)).toBeCloseTo(1, 10);
      expect(wheelZoomFactor(delta)).toBeGreaterThan(0.5);
    }),
  );
});

test("fit shows all of them, at most at 100 %", () => {
  const boxes = [0, 1, 2].map((n) => ({ x: n * 900, y: n * 100, w: 800, h: 540 }));
  const fitted = fit(boxes, screen)!;
  const view = viewOf(fitted, screen);
  expect(view.x).toBeLessThanOrEqual(0);
  expect(view.x + view.w).toBeGreaterThanOrEqual(2600);
  expect(view.y).toBeLessThanOrEqual(0);
  expect(view.y + view.h).toBeGreaterThanOrEqual(740);
  expect(fit([{ x: 0, y: 0, w: 300, h: 200 }], screen)!.zoom).toBe(1);
  expect(fit([], screen)).toBeNull();
});

test("revealing what is wholly visible moves nothing; else the box comes to the middle at a readable zoom", () => {
  const here = { x: 0, y: 0, zoom: 1 };
  expect(reveal(here, { x: 10, y: 10, w: 500, h: 300 }, screen, 0.6)).toBe(here);
  const there = reveal({ x: 0, y: 0, zoom: 0.3 }, { x: 9000, y: 0, w: 800, h: 540 }, screen, 0.6);
  expect(there.zoom).toBe(0.6);
  const view = viewOf(there, screen);
  expect(view.x + view.w / 2).toBeCloseTo(9400, -1);
});

test("a camera move begins and ends exactly at its cameras", () => {
  const from = { x: 1, y: 2, zoom: 0.5 };
  const to = { x: -300, y: 40, zoom: 2 };
  expect(between(from, to, 0)).toEqual(from);
  expect(between(from, to, 1)).toEqual(to);
});
