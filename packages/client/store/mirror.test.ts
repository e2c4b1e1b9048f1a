import type { Layout } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import {
  changeLayouts,
  EMPTY_MIRROR,
  type Mirror,
  settleLayouts,
  takeFrame,
  unansweredLayouts,
} from "./mirror.ts";
import { idForTest, recordForTest } from "./record-for-test.ts";

const HERE: Layout = { x: 0, y: 0, w: 100, h: 100 };
const THERE: Layout = { x: 240, y: 0, w: 100, h: 100 };
const ELSEWHERE: Layout = { x: 480, y: 0, w: 100, h: 100 };
const one = idForTest(1);

function started(): Mirror {
  const rows = [recordForTest(1, { layout: HERE }), recordForTest(2)];
  return takeFrame(EMPTY_MIRROR, { kind: "snapshot", boot: "a", revision: 5, rows });
}
function told(mirror: Mirror, revision: number, layout: Layout): Mirror {
  return takeFrame(mirror, {
    kind: "delta",
    revision,
    upserts: [recordForTest(1, { layout })],
    removals: [],
  });
}
const shown = (mirror: Mirror): Layout | null => mirror.records.get(one)!.layout;

test("a delta that is not newer changes nothing", () => {
  const mirror = told(started(), 6, THERE);
  expect(told(mirror, 6, ELSEWHERE)).toBe(mirror);
});

test("a delta before any snapshot changes nothing", () => {
  expect(told(EMPTY_MIRROR, 6, THERE)).toBe(EMPTY_MIRROR);
});

test("a layout change shows at once and outlives older words of padi", () => {
  let mirror = changeLayouts(started(), [{ id: one, layout: THERE }], 1);
  expect(shown(mirror)).toEqual(THERE);
  mirror = told(mirror, 6, HERE);
  expect(shown(mirror)).toEqual(THERE);
});

test("once padi has answered, its next word holds", () => {
  let mirror = changeLayouts(started(), [{ id: one, layout: THERE }], 1);
  mirror = settleLayouts(mirror, 1, "taken");
  expect(shown(mirror)).toEqual(THERE);
  mirror = told(mirror, 6, ELSEWHERE);
  expect(shown(mirror)).toEqual(ELSEWHERE);
  expect(mirror.pending.size).toBe(0);
});

test("a refused change is taken back", () => {
  const mirror = changeLayouts(started(), [{ id: one, layout: THERE }], 1);
  expect(shown(settleLayouts(mirror, 1, "refused"))).toEqual(HERE);
});

test("the answer to an older change does not end a newer one", () => {
  let mirror = changeLayouts(started(), [{ id: one, layout: THERE }], 1);
  mirror = changeLayouts(mirror, [{ id: one, layout: ELSEWHERE }], 2);
  mirror = settleLayouts(mirror, 1, "taken");
  mirror = told(mirror, 6, THERE);
  expect(shown(mirror)).toEqual(ELSEWHERE);
  expect(unansweredLayouts(mirror)).toEqual([{ id: one, layout: ELSEWHERE, change: 2 }]);
});

test("a removed terminal takes its pending change along", () => {
  let mirror = changeLayouts(started(), [{ id: one, layout: THERE }], 1);
  mirror = takeFrame(mirror, { kind: "delta", revision: 6, upserts: [], removals: [one] });
  expect(mirror.records.has(one)).toBe(false);
  expect(mirror.pending.size).toBe(0);
});

test("a snapshot of another boot replaces everything but unanswered changes", () => {
  let mirror = changeLayouts(started(), [{ id: one, layout: THERE }], 1);
  mirror = takeFrame(mirror, {
    kind: "snapshot",
    boot: "b",
    revision: 1,
    rows: [recordForTest(1, { layout: HERE })],
  });
  expect(mirror.since).toEqual({ boot: "b", revision: 1 });
  expect(shown(mirror)).toEqual(THERE);
  expect([...mirror.records.keys()]).toEqual([one]);
});
