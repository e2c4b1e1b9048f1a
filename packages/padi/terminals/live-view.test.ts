import { applyFrame, type LiveViewFrame } from "@kolu/contract/live-view.ts";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLiveView } from "./live-view.ts";

interface Row {
  id: string;
  value: number;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const newView = () => createLiveView<Row>({ boot: "b", now: () => Date.now() });

/** Everything a reader is owed by now. */
async function drain(
  frames: AsyncIterator<LiveViewFrame<Row>>,
  into: LiveViewFrame<Row>[],
): Promise<() => void> {
  let stopped = false;
  const pump = async (): Promise<void> => {
    while (!stopped) {
      const next = await frames.next();
      if (next.done) return;
      into.push(next.value);
    }
  };
  void pump();
  await vi.advanceTimersByTimeAsync(0);
  return () => {
    stopped = true;
  };
}

test("a row that changes all the time is published at once, then once a window, with its newest value", async () => {
  const view = newView();
  const frames: LiveViewFrame<Row>[] = [];
  const abort = new AbortController();
  await drain(view.read(undefined, abort.signal)[Symbol.asyncIterator](), frames);
  for (let value = 1; value <= 50; value++) {
    view.put({ id: "a", value });
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(20);
  const values = frames.flatMap((frame) =>
    frame.kind === "delta" ? frame.upserts.map((row) => row.value) : [],
  );
  expect(values[0]).toBe(1);
  expect(values.at(-1)).toBe(50);
  expect(values.length).toBeLessThan(7);
  abort.abort();
});

test("a reader that comes back gets what it missed, or all of it when that is not known any more", async () => {
  const view = newView();
  view.put({ id: "a", value: 1 });
  view.put({ id: "b", value: 1 });
  const first = (since?: { boot: string; revision: number }) =>
    view.read(since, AbortSignal.timeout(1_000))[Symbol.asyncIterator]().next();
  const snapshot = (await first()).value as Extract<LiveViewFrame<Row>, { kind: "snapshot" }>;
  expect(snapshot).toMatchObject({ kind: "snapshot", boot: "b" });
  await vi.advanceTimersByTimeAsync(20);
  view.put({ id: "b", value: 2 });
  view.remove("a");
  expect((await first({ boot: "b", revision: snapshot.revision })).value).toEqual({
    kind: "delta",
    revision: snapshot.revision + 2,
    upserts: [{ id: "b", value: 2 }],
    removals: ["a"],
  });
  expect((await first({ boot: "another", revision: snapshot.revision })).value.kind).toBe("snapshot");
  expect((await first({ boot: "b", revision: 99 })).value.kind).toBe("snapshot");
  for (let n = 0; n < 2_000; n++) {
    view.put({ id: `x${n}`, value: 1 });
    view.remove(`x${n}`);
  }
  expect((await first({ boot: "b", revision: snapshot.revision })).value.kind).toBe("snapshot");
});

test("whatever happens and however slowly it is read, the mirror ends up equal", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), id: fc.constantFrom("a", "b", "c"), value: fc.nat(99) }),
    fc.record({ kind: fc.constant("remove" as const), id: fc.constantFrom("a", "b", "c") }),
    fc.record({ kind: fc.constant("read" as const) }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(30) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const view = newView();
      const abort = new AbortController();
      const reader = view.read(undefined, abort.signal)[Symbol.asyncIterator]();
      const truth = new Map<string, Row>();
      let mirror: ReadonlyMap<string, Row> = new Map();
      let reading = false;
      const read = async (): Promise<void> => {
        if (!reading) {
          reading = true;
          void reader.next().then(({ value, done }) => {
            reading = false;
            if (!done) mirror = applyFrame(mirror, value);
          });
        }
        await vi.advanceTimersByTimeAsync(0);
      };
      for (const action of steps) {
        if (action.kind === "put") {
          truth.set(action.id, { id: action.id, value: action.value });
          view.put({ id: action.id, value: action.value });
        } else if (action.kind === "remove") {
          truth.delete(action.id);
          view.remove(action.id);
        } else if (action.kind === "read") await read();
        else await vi.advanceTimersByTimeAsync(action.ms);
      }
      await vi.advanceTimersByTimeAsync(50);
      for (let n = 0; n < 3; n++) await read();
      expect(Object.fromEntries(mirror)).toEqual(Object.fromEntries(truth));
      abort.abort();
      view.dispose();
    }),
    { numRuns: 100 },
  );
});
