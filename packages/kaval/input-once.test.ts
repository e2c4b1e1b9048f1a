import { expect, test } from "vitest";
import { InputOnce } from "./input-once.ts";

test("a frame sent again is a repeat, a later one is new", () => {
  const once = new InputOnce();
  once.wrote("page", 7);
  expect(once.isRepeat("page", 7)).toBe(true);
  expect(once.isRepeat("page", 6)).toBe(true);
  expect(once.isRepeat("page", 8)).toBe(false);
  expect(once.isRepeat("other", 7)).toBe(false);
});

test("a refused frame is new when it comes again, even after later ones were written", () => {
  const once = new InputOnce();
  once.refused("page", 1);
  once.wrote("page", 2);
  expect(once.isRepeat("page", 1)).toBe(false);
  once.wrote("page", 1);
  expect(once.isRepeat("page", 1)).toBe(true);
  expect(once.isRepeat("page", 2)).toBe(true);
});

test("the longest silent viewer is forgotten beyond sixty-four, the others are not", () => {
  const once = new InputOnce();
  for (let viewer = 0; viewer < 64; viewer++) once.wrote(`v${viewer}`, 1);
  once.wrote("v0", 2);
  once.wrote("v64", 1);
  expect(once.isRepeat("v1", 1)).toBe(false);
  expect(once.isRepeat("v0", 2)).toBe(true);
  expect(once.isRepeat("v64", 1)).toBe(true);
});
