import { describe, expect, it } from "vitest";
import { type Connection, looksOpenedHere, type Opening, pairUp } from "./anchors.ts";

const opening = (threadId: string, atMs: number): Opening => ({ threadId, atMs });
const connection = (pid: number, atMs: number): Connection => ({ pid, atMs });
const pidsOf = (openings: Opening[], connections: Connection[]) => {
  const pairs = pairUp(openings, connections);
  return openings.map((one) => pairs.get(one)?.pid ?? null);
};

describe("who opened a thread", () => {
  it("is whose connection lies nearest, before or after", () => {
    expect(
      pidsOf([opening("a", 10_000)], [connection(1, 9_000), connection(2, 10_118), connection(3, 9_400)]),
    ).toEqual([2]);
  });
  it("is nobody when no connection is near", () => {
    expect(pidsOf([opening("a", 10_000)], [connection(1, 12_500)])).toEqual([null]);
  });
  it("is told apart when two start at once: each connection counts once", () => {
    expect(
      pidsOf([opening("a", 10_000), opening("b", 10_200)], [connection(1, 10_020), connection(2, 10_240)]),
    ).toEqual([1, 2]);
    expect(pidsOf([opening("a", 10_000), opening("b", 10_010)], [connection(1, 10_008)])).toEqual([null, 1]);
  });
});

it("a terminal looks as if it opened a thread when its program becomes idle right after", () => {
  expect(looksOpenedHere(opening("a", 10_000), 10_325)).toBe(true);
  expect(looksOpenedHere(opening("a", 10_000), 9_000)).toBe(false);
  expect(looksOpenedHere(opening("a", 10_000), 15_500)).toBe(false);
  expect(looksOpenedHere(opening("a", 10_000), null)).toBe(false);
});
