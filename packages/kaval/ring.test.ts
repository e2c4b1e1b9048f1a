import fc from "fast-check";
import { expect, test } from "vitest";
import { Ring } from "./ring.ts";

/** Byte `offset` of the stream that every test appends. */
const byteAt = (offset: number): number => (offset * 31 + (offset >> 8)) & 0xff;

function stream(from: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => byteAt(from + index));
}

function held(ring: Ring): Uint8Array {
  return Buffer.concat(ring.views(ring.start, ring.end));
}

test("whatever is appended, pinned and limited, the ring holds the newest bytes and nothing else", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("append" as const), length: fc.nat(20_000) }),
    fc.record({ kind: fc.constant("limit" as const), bytes: fc.integer({ min: 1, max: 40_000 }) }),
    fc.record({ kind: fc.constant("pin" as const) }),
    fc.record({ kind: fc.constant("release" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let limit = 16_384;
      const ring = new Ring(limit);
      const pins: { offset: number; release(): void }[] = [];
      for (const now of steps) {
        if (now.kind === "append") ring.append(stream(ring.end, now.length));
        else if (now.kind === "limit") {
          limit = now.bytes;
          ring.setLimit(limit);
        } else if (now.kind === "pin") pins.push({ offset: ring.end, release: ring.pin(ring.end) });
        else pins.shift()?.release();
        expect(held(ring)).toEqual(Buffer.from(stream(ring.start, ring.end - ring.start)));
        for (const pin of pins) expect(ring.start).toBeLessThanOrEqual(pin.offset);
        if (pins.length === 0) expect(ring.end - ring.start).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 200 },
  );
});

test("a quiet terminal's ring takes a few kilobytes, a busy one's gives them back", () => {
  const ring = new Ring(512 * 1024);
  ring.append(stream(0, 100));
  expect(ring.capacityBytes).toBe(4096);
  for (let i = 0; i < 100; i++) ring.append(stream(ring.end, 16 * 1024));
  expect(ring.end - ring.start).toBe(512 * 1024);
  ring.setLimit(64 * 1024);
  expect(ring.capacityBytes).toBe(64 * 1024);
  expect(ring.end - ring.start).toBe(64 * 1024);
});

test("bytes that are gone or not there yet are an error, never other bytes", () => {
  const ring = new Ring(4096);
  ring.append(stream(0, 5000));
  expect(() => ring.views(0, 10)).toThrow(RangeError);
  expect(() => ring.views(4000, 5001)).toThrow(RangeError);
});
