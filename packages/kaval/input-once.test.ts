import { expect, test } from "vitest";
import { InputOnce } from "./input-once.ts";

test("a frame sent again is a repeat, a later one is new", () => {
  const once = new InputOnce();
  once.wrote("page", 7);
  expect(once.turnOf("page", 7)).toBe("repeat");
  expect(once.turnOf("page", 6)).toBe("repeat");
  expect(once.turnOf("page", 8)).toBe("new");
  expect(once.turnOf("other", 7)).toBe("new");
});

test("what follows a refused frame waits for it, whatever room there is by then", () => {
  const once = new InputOnce();
  once.wrote("page", 0);
  once.refused("page", 1);
  expect(once.turnOf("page", 2)).toBe("early");
  once.refused("page", 2);
  expect(once.turnOf("page", 1)).toBe("new");
  once.wrote("page", 1);
  expect(once.turnOf("page", 2)).toBe("new");
  expect(once.turnOf("page", 1)).toBe("repeat");
});

test("a viewer that connects again begins wherever it is", () => {
  const once = new InputOnce();
  once.refused("page", 1);
  once.attached("page");
  expect(once.turnOf("page", 5)).toBe("new");
});

test("the longest silent viewer is forgotten beyond sixty-four, the others are not", () => {
  const once = new InputOnce();
  for (let viewer = 0; viewer < 64; viewer++) once.wrote(`v${viewer}`, 1);
  once.wrote("v0", 2);
  once.wrote("v64", 1);
  expect(once.turnOf("v1", 1)).toBe("new");
  expect(once.turnOf("v0", 2)).toBe("repeat");
  expect(once.turnOf("v64", 1)).toBe("repeat");
});
