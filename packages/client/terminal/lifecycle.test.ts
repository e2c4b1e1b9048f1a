import { expect, test } from "vitest";
import {
  decideLives,
  gatherMsOf,
  HIDDEN_LINGER_MS,
  LINGER_MS,
  type LifecycleInput,
  type Lives,
} from "./lifecycle.ts";

const near = { id: "near", box: { x: 0, y: 0, w: 800, h: 540 } };
const far = { id: "far", box: { x: 9000, y: 0, w: 800, h: 540 } };
const base: LifecycleInput = {
  shown: [near, far],
  view: { x: 0, y: 0, w: 1600, h: 1000 },
  zoom: 1,
  cards: false,
  focusedId: null,
  maximisedId: null,
  pageVisible: true,
  nowMs: 10_000,
};
const tiers = (lives: Lives) => Object.fromEntries([...lives].map(([id, life]) => [id, life.tier]));
const decide = (changed: Partial<LifecycleInput>, before: Lives = new Map()) =>
  decideLives(before, { ...base, ...changed });

test("what is on the screen lives, what is not has neither renderer nor stream", () => {
  expect(tiers(decide({}).lives)).toEqual({ near: "visible", far: "off-screen" });
  expect(tiers(decide({ focusedId: "near" }).lives)).toEqual({ near: "focused", far: "off-screen" });
});

test("a terminal that leaves the screen lingers, then ends; coming back starts the clock anew", () => {
  const seen = decide({}).lives;
  const away = { view: { x: 5000, y: 0, w: 100, h: 100 } };
  const left = decide({ ...away, nowMs: 11_000 }, seen);
  expect(tiers(left.lives).near).toBe("visible");
  expect(left.againAtMs).toBe(11_000 + LINGER_MS);
  expect(tiers(decide({ ...away, nowMs: 11_000 + LINGER_MS }, left.lives).lives).near).toBe("off-screen");
  const back = decide({ nowMs: 12_000 }, left.lives).lives;
  expect(decide({ ...away, nowMs: 12_500 }, back).againAtMs).toBe(12_500 + LINGER_MS);
});

test("a margin around the screen counts as seen, in screen pixels at any zoom", () => {
  const beside = { id: "beside", box: { x: 1700, y: 0, w: 800, h: 540 } };
  expect(tiers(decide({ shown: [beside] }).lives).beside).toBe("visible");
  expect(tiers(decide({ shown: [beside], zoom: 3 }).lives).beside).toBe("off-screen");
});

test("cards and a maximised terminal need no terminal of the plane", () => {
  expect(tiers(decide({ cards: true }).lives)).toEqual({ near: "off-screen", far: "off-screen" });
  expect(tiers(decide({ maximisedId: "far", focusedId: "far" }).lives)).toEqual({
    near: "off-screen",
    far: "focused",
  });
  expect(tiers(decide({ cards: true, maximisedId: "near" }).lives).near).toBe("visible");
});

test("output of the terminal with the keyboard is drawn at once, that of others gathers, longer when there are many", () => {
  expect([gatherMsOf("focused", 40), gatherMsOf("visible", 3), gatherMsOf("visible", 30)]).toEqual([
    0, 100, 250,
  ]);
});

test("a hidden page keeps what it had for a while and starts nothing", () => {
  const seen = decide({}).lives;
  const hidden = decide({ pageVisible: false, nowMs: 11_000 }, seen);
  expect(tiers(hidden.lives)).toEqual({ near: "visible", far: "off-screen" });
  const later = decide({ pageVisible: false, nowMs: 11_000 + HIDDEN_LINGER_MS }, hidden.lives).lives;
  expect(tiers(later).near).toBe("off-screen");
});
