import { expect, test } from "vitest";
import { testRecord } from "../test-records.ts";
import { type Found, findInLines } from "./find.ts";
import { byRecency } from "./search.ts";

const cases: Record<string, [lines: string[], query: string, found: Found[]]> = {
  "the last line comes first, and a line once": [
    ["an error", "fine", "error error"],
    "error",
    [
      { at: 2, matchStart: 0, matchLength: 5 },
      { at: 0, matchStart: 3, matchLength: 5 },
    ],
  ],
  "without capitals any case matches": [["An ERROR"], "error", [{ at: 0, matchStart: 3, matchLength: 5 }]],
  "with capitals only that": [["an error", "Error"], "Error", [{ at: 1, matchStart: 0, matchLength: 5 }]],
  "text is no pattern": [
    ["a.b", "axb", "f(x)[0]-1 / $y"],
    "f(x)[0]-1 / $",
    [{ at: 2, matchStart: 0, matchLength: 13 }],
  ],
  "other scripts match": [["語 Straße 語"], "straße", [{ at: 0, matchStart: 2, matchLength: 6 }]],
  "nothing is found": [["", "x"], "y", []],
};

test.each(Object.entries(cases))("%s", (_title, [lines, query, found]) => {
  expect(findInLines(lines, query)).toEqual(found);
});

test("the terminal with the most recent output comes first, a silent one by its age", () => {
  const records = [
    testRecord(1, { lastActivityAtMs: 5_000 }),
    testRecord(2, { createdAtMs: 7_000, lastActivityAtMs: null }),
    testRecord(3, { lastActivityAtMs: 9_000 }),
  ];
  expect(byRecency(records).map(({ id }) => id.at(-1))).toEqual(["3", "2", "1"]);
});
