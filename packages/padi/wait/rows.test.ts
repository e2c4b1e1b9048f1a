import { expect, test } from "vitest";
import { linesOfRows } from "./rows.ts";

const cases: Record<string, [rows: string[], lines: string[]]> = {
  "short rows are lines": [
    ["one", "two"],
    ["one", "two"],
  ],
  "a line over three rows is whole too": [
    ["abcde", "fghij", "kl", "m"],
    ["abcde", "fghij", "kl", "m", "abcdefghijkl"],
  ],
  "one that ends at the edge of the last row": [
    ["abcde", "fghij"],
    ["abcde", "fghij", "abcdefghij"],
  ],
  "a row that fills the width by chance": [
    ["abcde", "", "f"],
    ["abcde", "", "f", "abcde"],
  ],
};
for (const [title, [rows, lines]] of Object.entries(cases)) {
  test(title, () => expect(linesOfRows(rows, 5)).toEqual(lines));
}
