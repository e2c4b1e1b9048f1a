import { expect, test } from "vitest";
import { idForTest } from "../store/record-for-test.ts";
import { broughtWords } from "./changes.ts";

const [a, b] = [idForTest(1), idForTest(2)];
const cases: Record<string, [added: (typeof a)[], present: (typeof a)[], words: string]> = {
  "nothing in it": [[], [], "There was no terminal in it."],
  "all new": [[a, b], [], "2 terminals added."],
  "some here": [[a], [b], "One terminal added, 1 here already."],
  "all here": [[], [a, b], "2 terminals here already, none added."],
};
test.each(Object.entries(cases))("%s", (_title, [added, present, words]) =>
  expect(broughtWords({ added, present })).toBe(words),
);
