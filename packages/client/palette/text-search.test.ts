import type { SearchStep } from "@kolu/contract/search.ts";
import { expect, test } from "vitest";
import { idForTest } from "../store/record-for-test.ts";
import { hitText } from "./hit-text.ts";
import { searchWords, type TextSearch, withStep } from "./text-search.ts";

const START: TextSearch = { phase: "searching", searched: 0, total: 0, found: [], unread: [], fault: null };
const step = (n: number, changes: Partial<SearchStep> = {}): SearchStep => ({
  id: idForTest(n),
  hits: [],
  truncated: false,
  unread: [],
  searched: n,
  total: 3,
  ...changes,
});
const hit = {
  id: idForTest(2),
  where: "screen",
  line: 1,
  linesFromEnd: 0,
  text: "x",
  matchStart: 0,
  matchLength: 1,
} as const;

test("a terminal without a hit only counts as searched", () => {
  const after = withStep(withStep(START, step(1)), step(2, { hits: [hit] }));
  expect(after.found.map(({ id }) => id)).toEqual([idForTest(2)]);
  expect(searchWords(after)).toBe("Searched 2 of 3 terminals, 1 hit in 1 terminal so far");
});

test("every end has its words", () => {
  expect(searchWords({ ...START, phase: "resting" })).toBeNull();
  expect(searchWords({ ...START, phase: "done", total: 3 })).toBe("Searched 3 terminals: no hit");
  expect(searchWords({ ...START, phase: "stopped", searched: 1, total: 3 })).toBe(
    "Stopped after 1 of 3 terminals: no hit",
  );
  expect(searchWords({ ...START, phase: "failed", fault: "x" })).toBe("The search failed: x");
});

test("a terminal that could not be read is named", () => {
  expect(withStep(START, step(1, { unread: ["too large"] })).unread).toEqual([
    { id: idForTest(1), reason: "too large" },
  ]);
});

test("a match far to the right is in sight, without half characters", () => {
  const text = `${"é".repeat(80)}needle${"x".repeat(500)}`;
  const { before, match, after } = hitText({ text, matchStart: 80, matchLength: 6 });
  expect(before).toBe(`…${"é".repeat(48)}`);
  expect(match).toBe("needle");
  expect(after).toHaveLength(161);
});
