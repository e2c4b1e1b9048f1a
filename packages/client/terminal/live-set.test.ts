import { expect, test } from "vitest";
import { decideLiveSet, LIVE_MAX } from "./live-set.ts";

const many = ["a", "b", "c", "d", "e", "f"];
const input = { seen: many, focusedId: "a", wished: [] };

test("a few terminals are all live", () => {
  const seen = many.slice(0, LIVE_MAX);
  expect(new Set(decideLiveSet([], { seen, focusedId: null, wished: [] }))).toEqual(new Set(seen));
});

test("of many, only the one with the keyboard and those that somebody works in are live", () => {
  expect(decideLiveSet([], input)).toEqual(["a"]);
  expect(decideLiveSet(["a"], { ...input, wished: ["d"] })).toEqual(["a", "d"]);
});

test("those that were live last stay so while there is room, the oldest goes first", () => {
  const before = ["a", "b", "c"];
  expect(decideLiveSet(before, { ...input, focusedId: "b" })).toEqual(["b", "a", "c"]);
  expect(decideLiveSet(before, { ...input, focusedId: "d" })).toEqual(["d", "a", "b"]);
});

test("what cannot be painted is live beyond the limit, and what is not seen never is", () => {
  const wished = ["b", "c", "d"];
  expect(decideLiveSet([], { ...input, wished })).toEqual(["a", ...wished]);
  expect(decideLiveSet(["z"], { ...input, wished: ["y"] })).toEqual(["a"]);
});

test("no change is the same list", () => {
  const before = ["a", "b"];
  expect(decideLiveSet(before, input)).toBe(before);
});
