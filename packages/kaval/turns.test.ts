import fc from "fast-check";
import { expect, test } from "vitest";
import type { Work } from "./screen-messages.ts";
import { createTurns, SLICE_BYTES } from "./turns.ts";

function write(screen: number, byteCount: number): Work {
  return {
    kind: "write",
    screen,
    bytes: new Uint8Array(byteCount),
  };
}

function byteCount(slice: Work[] | null): number {
  return slice?.reduce((sum, work) => sum + (work.kind === "write" ? work.bytes.length : 0), 0) ?? 0;
}

test("a small batch for a screen at rest waits for no flood's second slice", () => {
  const turns = createTurns();
  turns.add(write(1, 10 * SLICE_BYTES));
  turns.add(write(2, 10 * SLICE_BYTES));
  expect(turns.next()?.[0]?.screen).toBe(1);
  turns.add(write(3, 10));
  expect(turns.next()).toEqual([write(3, 10)]);
  expect(turns.next()?.[0]?.screen).toBe(2);
  expect(turns.next()?.[0]?.screen).toBe(1);
});

test("floods share by slices", () => {
  const turns = createTurns();
  for (const screen of [1, 2, 3]) turns.add(write(screen, 3 * SLICE_BYTES));
  const order: number[] = [];
  for (let slice = turns.next(); slice; slice = turns.next()) {
    expect(byteCount(slice)).toBe(SLICE_BYTES);
    order.push(slice[0]!.screen);
  }
  expect(order).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
  expect(turns.isEmpty).toBe(true);
});

test("a question comes after the bytes before it and ends the slice", () => {
  const turns = createTurns();
  const ask: Work = { kind: "ask", screen: 1, ticket: 7, question: { kind: "checkpoint" } };
  turns.add(write(1, 5));
  turns.add(ask);
  turns.add(write(1, 5));
  expect(turns.next()).toEqual([write(1, 5), ask]);
  expect(turns.next()).toEqual([write(1, 5)]);
});

test("a dropped screen's work is gone, the others' stays", () => {
  const turns = createTurns();
  turns.add(write(1, 5));
  turns.add(write(2, 5));
  expect(turns.drop(1)).toEqual([write(1, 5)]);
  expect(turns.next()).toEqual([write(2, 5)]);
  expect(turns.next()).toBeNull();
});

test("every screen's work comes out whole and in order", () => {
  const sizes = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 * SLICE_BYTES })),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 4 }), (pieces, every) => {
      const turns = createTurns();
      const given = new Map<number, number[]>();
      const taken = new Map<number, number[]>();
      const take = (): boolean => {
        const slice = turns.next();
        for (const work of slice ?? [])
          if (work.kind === "write")
            taken.set(work.screen, [...(taken.get(work.screen) ?? []), work.bytes.length]);
        return slice !== null;
      };
      for (const [index, [screen, size]] of pieces.entries()) {
        turns.add(write(screen, size));
        given.set(screen, [...(given.get(screen) ?? []), size]);
        if (index % every === 0) take();
      }
      while (take());
      const sum = (lengths: number[] = []): number => lengths.reduce((total, length) => total + length, 0);
      for (const [screen, lengths] of given) expect(sum(taken.get(screen))).toBe(sum(lengths));
    }),
    { numRuns: 40 },
  );
});
