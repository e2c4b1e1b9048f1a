import { expect, test } from "vitest";
import { idForTest, recordForTest } from "../store/record-for-test.ts";
import { tileIdOf, tilesOf } from "./splits.ts";

const id = idForTest;
const workspace = (...rows: [n: number, parent: number | null][]) =>
  new Map(
    rows.map(
      ([n, parent]) => [id(n), recordForTest(n, { parentId: parent === null ? null : id(parent) })] as const,
    ),
  );
const shape = (records: ReturnType<typeof workspace>) =>
  tilesOf(records).map(({ root, splits }) => [root.createdAtMs, ...splits.map((split) => split.createdAtMs)]);

test("splits of any depth are tabs of their tile, parents before children", () => {
  expect(shape(workspace([1, null], [2, 1], [3, null], [4, 2], [5, 1]))).toEqual([[1, 2, 4, 5], [3]]);
});

test("a split whose parent is not there is a tile of its own", () => {
  expect(shape(workspace([2, 1], [4, 2]))).toEqual([[2, 4]]);
});

test("a terminal is shown by the tile of its topmost ancestor", () => {
  const records = workspace([1, null], [2, 1], [4, 2]);
  expect(tileIdOf(records, id(4))).toBe(id(1));
  expect(tileIdOf(records, id(1))).toBe(id(1));
  expect(tileIdOf(records, id(9))).toBe(id(9));
});

test("a circle of parents ends", () => {
  expect(tileIdOf(workspace([1, 2], [2, 1]), id(1))).toBe(id(2));
});
