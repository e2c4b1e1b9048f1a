import { expect, test } from "vitest";
import { type Deed, flingOn, gestureStep, linesOf, NO_GESTURE, type TouchEventKind } from "./gesture.ts";

const start = (...fingers: [number, number][]): TouchEventKind => ({
  kind: "start",
  fingers: points(fingers),
});
const move = (atMs: number, ...fingers: [number, number][]): TouchEventKind => ({
  kind: "move",
  fingers: points(fingers),
  atMs,
});
const end = (atMs: number, ...fingers: [number, number][]): TouchEventKind => ({
  kind: "end",
  fingers: points(fingers),
  atMs,
});
const held: TouchEventKind = { kind: "held" };
const points = (pairs: [number, number][]) => pairs.map(([x, y]) => ({ x, y }));

function deedsOf(events: TouchEventKind[], swipes = true): Deed[] {
  let gesture = NO_GESTURE;
  return events.flatMap((event) => {
    const step = gestureStep(gesture, event, { swipes });
    gesture = step.gesture;
    return step.deeds;
  });
}

const cases: Record<string, [events: TouchEventKind[], deeds: string[]]> = {
  "what is selected stays selected when the browser takes the finger away": [
    [start([50, 50]), held, move(500, [90, 50]), { kind: "cancel" }],
    ["select-start", "select-move", "select-end"],
  ],
  "a tap is left to the browser": [[start([50, 50]), move(5, [53, 52]), end(60)], []],
  "a finger that moves up or down scrolls by what it moved": [
    [start([50, 50]), move(10, [50, 70]), move(26, [52, 90]), end(200)],
    ["scroll", "scroll"],
  ],
  "a finger that lets go while moving throws": [
    [start([50, 50]), move(10, [50, 80]), move(26, [50, 120]), end(30)],
    ["scroll", "scroll", "fling"],
  ],
  "a finger that goes left brings the next terminal": [
    [start([300, 50]), move(10, [250, 55]), move(26, [180, 60]), end(30)],
    ["drag", "drag", "drag", "next"],
  ],
  "a finger that goes right brings the one before": [
    [start([50, 50]), move(10, [150, 55]), end(30)],
    ["drag", "drag", "previous"],
  ],
  "a short swipe goes back": [
    [start([50, 50]), move(10, [90, 50]), end(30)],
    ["drag", "drag"],
  ],
  "two fingers change the size, and what is left of them does nothing": [
    [start([50, 50]), start([50, 50], [150, 50]), move(10, [40, 50], [160, 50]), end(20, [40, 50]), end(30)],
    ["pinch-start", "pinch"],
  ],
  "a finger that lies still selects, and then moves the end of the selection": [
    [start([50, 50]), held, move(500, [90, 60]), end(600)],
    ["select-start", "select-move", "select-end"],
  ],
  "a finger that has moved does not select any more": [
    [start([50, 50]), move(10, [50, 90]), held, end(900)],
    ["scroll"],
  ],
};

for (const [title, [events, kinds]] of Object.entries(cases))
  test(title, () => {
    expect(deedsOf(events).map(({ kind }) => kind)).toEqual(kinds);
  });

test("where there is nothing to swipe to, a finger that goes aside scrolls", () => {
  expect(deedsOf([start([50, 50]), move(10, [150, 55])], false)).toEqual([
    { kind: "scroll", dy: 5, at: { x: 150, y: 55 } },
  ]);
});

test("a throw ends, having gone as far in many steps as in few", () => {
  const far = (stepMs: number): number => {
    let sum = 0;
    for (let speed: number | null = 2; speed !== null; ) {
      const on = flingOn(speed, stepMs);
      sum += on.dy;
      speed = on.speed;
    }
    return sum;
  };
  expect(far(8)).toBeGreaterThan(500);
  expect(Math.abs(far(8) - far(33))).toBeLessThan(10);
});

test("pixels become whole lines, and the rest is kept", () => {
  expect(linesOf(40, 17)).toEqual({ lines: 2, restPx: 6 });
  expect(linesOf(-40, 17)).toEqual({ lines: -2, restPx: -6 });
});
