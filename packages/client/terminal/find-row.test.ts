import { expect, test } from "vitest";
import { findRow, type LineTarget } from "./find-row.ts";

const target = (changes: Partial<LineTarget>): LineTarget => ({
  text: "error: x",
  linesFromEnd: 0,
  matchStart: 0,
  matchLength: 5,
  ...changes,
});
const find = (rows: string[], changes: Partial<LineTarget> = {}): number | null =>
  findRow(rows.length, (row) => rows[row]!, target(changes));

test("of equal rows the one nearest to where it was is meant", () => {
  const rows = ["error: x", "a", "error: x  ", "b", "error: x", "$ ", "", ""];
  expect(find(rows, { linesFromEnd: 3 })).toBe(2);
  expect(find(rows, { linesFromEnd: 1 })).toBe(4);
  expect(find(rows, { linesFromEnd: 99 })).toBe(0);
});

test("a line that has moved since is found where it is now", () => {
  expect(find(["error: x", ...Array.from({ length: 50 }, () => "later")], { linesFromEnd: 0 })).toBe(0);
});

test("a line that was laid out anew is found by what was searched for", () => {
  expect(find(["the error: x is here", "$ "], { text: "the error: x", matchStart: 4, linesFromEnd: 1 })).toBe(
    0,
  );
});

test("a line that is gone is nowhere", () => {
  expect(find(["a", "b"])).toBeNull();
  expect(find([])).toBeNull();
});
