import { expect, test } from "vitest";
import type { EngineLine } from "./engine.ts";
import { RowMemory } from "./row-memory.ts";

function line(words: number[], combined: Record<number, string> = {}): EngineLine {
  return {
    _data: Uint32Array.from(words),
    _combined: combined,
    _extendedAttrs: {},
    length: words.length / 3,
    translateToString: () => "",
  };
}

const COMBINED = 0x200000;

test("a row is news once, and again when a cell, a cluster or the cursor changed", () => {
  const memory = new RowMemory();
  const check = (words: number[], combined: Record<number, string>, cursor: number | null): boolean =>
    memory.isNews(0, line(words, combined), cursor);
  expect(check([65, 0, 0], {}, null)).toBe(true);
  expect(check([65, 0, 0], {}, null)).toBe(false);
  expect(check([66, 0, 0], {}, null)).toBe(true);
  expect(check([66, 0, 0], {}, 0)).toBe(true);
  expect(check([COMBINED, 0, 0], { 0: "é" }, 0)).toBe(true);
  expect(check([COMBINED, 0, 0], { 0: "è" }, 0)).toBe(true);
  expect(check([COMBINED, 0, 0], { 0: "è" }, 0)).toBe(false);
  expect(check([65, 0, 0, 66, 0, 0], {}, 0)).toBe(true);
});

test("what was painted is remembered even when the emulator goes on writing into the same row", () => {
  const memory = new RowMemory();
  const row = line([65, 0, 0]);
  memory.isNews(0, row, null);
  row._data[0] = 66;
  expect(memory.isNews(0, row, null)).toBe(true);
  memory.forget();
  expect(memory.isNews(0, row, null)).toBe(true);
});
