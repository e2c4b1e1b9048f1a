import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OutputPace } from "./output-pace.ts";
import { PublishPace } from "./publish-pace.ts";

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "Date", "performance"],
    }),
);
afterEach(() => void vi.useRealTimers());

test("a fact goes out at once, output at its pace, the last one always", () => {
  let published = 0;
  const pace = new PublishPace(() => {
    published += 1;
  });
  pace.output();
  expect(published).toBe(1);
  for (let n = 0; n < 100; n++) pace.output();
  expect(published).toBe(1);
  pace.fact();
  expect(published).toBe(2);
  pace.output();
  vi.advanceTimersByTime(249);
  expect(published).toBe(2);
  vi.advanceTimersByTime(2);
  expect(published).toBe(3);
  vi.advanceTimersByTime(10_000);
  expect(published).toBe(3);
});

test("input overtakes output that waits, not the other way round", () => {
  let published = 0;
  const pace = new PublishPace(() => {
    published += 1;
  });
  pace.fact();
  pace.output();
  pace.input();
  vi.advanceTimersByTime(101);
  expect(published).toBe(2);
  vi.advanceTimersByTime(1_000);
  expect(published).toBe(2);
  pace.stop();
  pace.fact();
  expect(published).toBe(2);
});

test("the first bytes are sent at once, those of the same turn together, a flood in pieces", () => {
  const sent: number[] = [];
  let waiting = 0;
  const pace = new OutputPace(() => {
    if (waiting > 0) sent.push(waiting);
    waiting = 0;
  });
  const receive = (bytes: number): boolean => {
    waiting += bytes;
    return pace.received(bytes);
  };
  expect(receive(1)).toBe(true);
  expect(receive(10)).toBe(false);
  expect(receive(10)).toBe(false);
  expect(sent).toEqual([1]);
  vi.advanceTimersByTime(0);
  expect(sent).toEqual([1, 20]);
  vi.advanceTimersByTime(100);
  // A flood: four kilobytes at a time, without a pause.
  sent.length = 0;
  for (let n = 0; n < 64; n++) {
    receive(4096);
    vi.advanceTimersByTime(0);
  }
  vi.advanceTimersByTime(5);
  expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBe(64 * 4096);
  expect(Math.max(...sent)).toBe(32 * 1024);
  expect(sent.length).toBeLessThan(30);
});
