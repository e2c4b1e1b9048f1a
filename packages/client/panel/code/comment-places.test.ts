import { expect, test } from "vitest";
import { type LinePlace, markedRows, placeOf, rowOfLine } from "./comment-places.ts";
import type { CodeRow } from "./rows.ts";

const row = (
  kind: CodeRow["kind"],
  oldLine: number | null,
  newLine: number | null,
  text: string,
): CodeRow => ({
  kind,
  oldLine,
  newLine,
  text,
});
const ROWS = [
  row("gap", null, null, "@@"),
  row("line", 5, 5, "a"),
  row("removed", 6, null, "b"),
  row("added", null, 6, "c"),
  row("line", 7, 7, "d"),
];

const places: Record<string, [from: number, to: number, place: LinePlace | null]> = {
  "lines that did not change": [4, 4, { side: "new", from: 7, to: 7, quote: "d" }],
  "removed lines alone": [2, 2, { side: "old", from: 6, to: 6, quote: "- b" }],
  "a change with what is around it": [1, 4, { side: "new", from: 5, to: 7, quote: "  a\n- b\n+ c\n  d" }],
  "no line at all": [0, 0, null],
};

test.each(Object.entries(places))("%s", (_name, [from, to, place]) => {
  expect(placeOf(ROWS, { from, to })).toEqual(place);
});

test("a comment marks its lines on its side", () => {
  const comment = { id: "1", path: "a", quote: "", text: "" };
  expect(markedRows(ROWS, [{ ...comment, side: "new", from: 5, to: 6 }])).toEqual(new Set([1, 3]));
  expect(markedRows(ROWS, [{ ...comment, side: "old", from: 6, to: 6 }])).toEqual(new Set([2]));
});

test("a line is found, or what stands before it", () => {
  expect([rowOfLine(ROWS, 7), rowOfLine(ROWS, 99), rowOfLine(ROWS, 1)]).toEqual([4, 4, null]);
});
