import { WATCH_QUEUE_MAX } from "@kolu/contract/limits.ts";
import type { WatchEvent } from "@kolu/contract/watch.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testId } from "../test-records.ts";
import { acknowledge, emptyQueue, handOver, push, type Queue } from "./queue.ts";

function event(seq: number): WatchEvent {
  return { seq, id: testId(1), at: seq, kind: "asking" };
}

function pushed(queue: Queue, seqs: readonly number[]): Queue {
  return seqs.reduce((current, seq) => push(current, event(seq)).queue, queue);
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("a batch comes again until it is acknowledged, under the same numbers", () => {
  const queue = pushed(emptyQueue(4), [5, 6]);
  const first = handOver(queue)!;
  const again = handOver(first.queue)!;
  expect(again.batch).toEqual(first.batch);
  expect(first.batch).toMatchObject({ dropped: 0, ackAfter: 6 });
  expect(handOver(acknowledge(again.queue, 6, 6))).toBeNull();
});

test("a number that no batch can have named acknowledges nothing", () => {
  const queue = pushed(emptyQueue(0), [1]);
  expect(acknowledge(queue, 2, 1)).toBe(queue);
});

test("what is lost is said until the batch that said so is acknowledged", () => {
  const full = pushed(emptyQueue(0), range(1, WATCH_QUEUE_MAX + 3));
  const told = handOver(full)!;
  expect(told.batch).toMatchObject({ dropped: 3, ackAfter: WATCH_QUEUE_MAX + 3 });
  // Two more are lost before the acknowledgement arrives: that loss has not been told.
  const more = pushed(told.queue, range(WATCH_QUEUE_MAX + 4, WATCH_QUEUE_MAX + 5));
  const acked = acknowledge(more, told.batch.ackAfter, WATCH_QUEUE_MAX + 5);
  expect(handOver(acked)!.batch).toMatchObject({ dropped: 2, ackAfter: WATCH_QUEUE_MAX + 5 });
});

interface Step {
  kind: "push" | "next";
  count: number;
  /** The answer reaches the client. */
  arrives: boolean;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step["kind"]>("push", "next"),
    count: fc.integer({ min: 1, max: 400 }),
    arrives: fc.boolean(),
  }),
  { maxLength: 40 },
);

test("whatever is pushed arrives in order, or its loss is told; an event that comes twice is the same", () => {
  fc.assert(
    fc.property(steps, (script) => {
      let queue = emptyQueue(0);
      let newest = 0;
      let after: number | undefined;
      const heard = new Map<number, WatchEvent>();
      let lossHeard = 0;
      const next = (arrives: boolean): void => {
        if (after !== undefined) queue = acknowledge(queue, after, newest);
        const given = handOver(queue);
        if (given === null) return;
        queue = given.queue;
        if (!arrives) return;
        const seqs = given.batch.events.map(({ seq }) => seq);
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
        for (const item of given.batch.events) {
          expect(heard.get(item.seq) ?? item).toEqual(item);
          heard.set(item.seq, item);
        }
        lossHeard += given.batch.dropped;
        after = given.batch.ackAfter;
      };
      for (const { kind, count, arrives } of script) {
        if (kind === "next") next(arrives);
        else {
          queue = pushed(queue, range(newest + 1, newest + count));
          newest += count;
        }
      }
      next(true);
      next(true);
      const missing = newest - heard.size;
      expect(lossHeard).toBeGreaterThanOrEqual(missing);
      expect(missing === 0 || lossHeard > 0).toBe(true);
      expect(queue.events.length).toBe(0);
      expect(queue.dropped).toBe(0);
    }),
    { numRuns: 300 },
  );
});
