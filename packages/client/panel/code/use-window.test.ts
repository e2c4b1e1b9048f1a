import { expect, test } from "vitest";
import { windowOf } from "./use-window.ts";

const cases: Record<string, [scrollTop: number, count: number, from: number, to: number]> = {
  "at the top": [0, 1_000, 0, 40],
  "in the middle": [5_000, 1_000, 220, 290],
  "at the end": [19_800, 1_000, 960, 1_000],
  "scrolled further than a list that became short": [19_800, 5, 5, 5],
  nothing: [0, 0, 0, 0],
};

test.each(Object.entries(cases))("%s", (_name, [scrollTop, count, from, to]) => {
  expect(windowOf({ scrollTop, heightPx: 200 }, { rowPx: 20, count })).toEqual({ from, to });
});
