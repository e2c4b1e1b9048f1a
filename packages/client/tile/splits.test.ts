import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { expect, test } from "vitest";
import { agentForTest, idForTest, recordForTest } from "../store/record-for-test.ts";
import { closedWith, runsSomething } from "./closing.ts";
import { tilesOf } from "./splits.ts";

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

test("closing a terminal closes what is below it first, and nothing beside it", () => {
  const records = workspace([1, null], [2, 1], [3, 1], [4, 2]);
  const closed = closedWith(records, records.get(id(2))!);
  expect(closed.map(({ createdAtMs }) => createdAtMs)).toEqual([4, 2]);
});

test("only an agent, a command or a program of its own is worth a question", () => {
  const command = { line: "make", exitStatus: null, startedAtMs: 0, endedAtMs: null };
  expect(runsSomething(recordForTest(1))).toBe(false);
  expect(runsSomething(recordForTest(1, { command: { ...command, running: true } }))).toBe(true);
  expect(runsSomething(recordForTest(1, { command: { ...command, running: false } }))).toBe(false);
  expect(runsSomething(recordForTest(1, { agent: agentForTest() }))).toBe(true);
  expect(runsSomething(recordForTest(1, { agent: agentForTest(), life: "parked" }))).toBe(false);
});
