import { decodeServerFrame } from "@kolu/contract/attach.ts";
import { VIEWER_WINDOW_BYTES } from "@kolu/contract/limits.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { GridLog } from "./grid.ts";
import { Ring } from "./ring.ts";
import { OutputFrames, type OutputSource, type Snapshot, ViewerFlow } from "./viewer-flow.ts";

/** The output of every terminal in this file: byte `offset` is `PATTERN[offset % its length]`. */
const PATTERN = Buffer.from(Uint8Array.from({ length: 256 * 1024 }, (_, at) => (at * 31 + (at >> 8)) & 0xff));

function output(from: number, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; at < from + length; ) {
    const begin = at % PATTERN.length;
    const part = PATTERN.subarray(begin, begin + Math.min(PATTERN.length - begin, from + length - at));
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

class FakeTerminal implements OutputSource {
  readonly boot = "00000000-0000-4000-8000-000000000000";
  readonly ring = new Ring(64 * 1024);
  readonly grids = new GridLog({ cols: 80, rows: 24 });
  exit: { code: number; signal: number } | null = null;
  lastInputOffset: number | null = null;
  #waiting: (() => void)[] = [];

  print(length: number): void {
    this.ring.append(output(this.ring.end, length));
  }

  snapshot(): Promise<Snapshot> {
    const release = this.ring.pin(this.ring.end);
    const offset = this.ring.end;
    const { cols, rows } = this.grids.current;
    return new Promise((resolve) => {
      this.#waiting.push(() =>
        resolve({ offset, cols, rows, vt: Buffer.from(`screen at ${offset}`), release }),
      );
    });
  }

  /** Answers every snapshot asked for so far. */
  async answer(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    // Two turns: the flow awaits the promise, then goes on.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What a page would know after the frames that it was sent, checked as they come. */
class FakeViewer {
  offset = 0;
  acked = 0;
  grid = "";
  snapshots = 0;
  sawExit = false;
  closedWith: number | null = null;

  send(bytes: Uint8Array): void {
    const frame = decodeServerFrame(bytes);
    expect(this.sawExit).toBe(false);
    switch (frame?.kind) {
      case "resume":
        this.offset = frame.offset;
        this.acked = frame.offset;
        break;
      case "snapshot":
        expect(Buffer.from(frame.vt).toString()).toBe(`screen at ${frame.offset}`);
        this.offset = frame.offset;
        this.grid = `${frame.cols}x${frame.rows}`;
        this.acked = frame.offset;
        this.snapshots += 1;
        break;
      case "output":
        expect(frame.offset).toBe(this.offset);
        expect(Buffer.compare(frame.bytes, output(frame.offset, frame.bytes.length))).toBe(0);
        this.offset += frame.bytes.length;
        break;
      case "grid":
        this.grid = `${frame.cols}x${frame.rows}`;
        break;
      case "exit":
        this.sawExit = true;
        break;
      default:
        throw new Error(`unexpected ${frame?.kind}`);
    }
  }

  close(code: number): void {
    this.closedWith = code;
  }
}

function attach(terminal: FakeTerminal, query: Parameters<ViewerFlow["begin"]>[0]) {
  const viewer = new FakeViewer();
  const flow = new ViewerFlow(terminal, new OutputFrames(terminal.ring), viewer, query);
  flow.begin(query);
  return { viewer, flow };
}

test("a viewer that stands in the ring is resumed there, told the grid of that place, and every later one", () => {
  const terminal = new FakeTerminal();
  terminal.print(1000);
  terminal.grids.add(1000, { cols: 100, rows: 30 });
  terminal.print(500);
  const { viewer } = attach(terminal, { boot: terminal.boot, offset: 400 });
  expect(viewer).toMatchObject({ offset: 1500, grid: "100x30", snapshots: 0 });
});

test.each([
  ["another kaval's", { boot: "11111111-0000-4000-8000-000000000000", offset: 900 }],
  ["gone from the ring", { offset: 10 }],
  ["not written yet", { offset: 10_000_000 }],
  ["not given", {}],
])("a place that is %s begins with a snapshot", async (_what, query) => {
  const terminal = new FakeTerminal();
  terminal.print(200_000);
  const { viewer } = attach(terminal, { boot: terminal.boot, ...query });
  terminal.print(5000);
  await terminal.answer();
  expect(viewer).toMatchObject({ offset: 205_000, snapshots: 1, grid: "80x24" });
});

test("from=last-input begins at the last input, or at the oldest byte held", () => {
  const terminal = new FakeTerminal();
  terminal.print(1000);
  terminal.lastInputOffset = 700;
  const fromInput = attach(terminal, { from: "last-input" });
  expect(fromInput.viewer.offset).toBe(1000);
  terminal.print(100_000);
  const longAgo = attach(terminal, { from: "last-input" });
  expect(longAgo.viewer).toMatchObject({ offset: 101_000, snapshots: 0 });
});

test("a viewer that does not acknowledge is sent one window, and a snapshot once nearly all of it is consumed", async () => {
  const terminal = new FakeTerminal();
  const { viewer, flow } = attach(terminal, { boot: terminal.boot, offset: 0 });
  for (let i = 0; i < 200; i++) {
    terminal.print(60_000);
    flow.pump();
  }
  expect(viewer.offset).toBeGreaterThanOrEqual(VIEWER_WINDOW_BYTES);
  expect(viewer.offset).toBeLessThanOrEqual(VIEWER_WINDOW_BYTES + 64 * 1024);
  // Viewers acknowledge in steps: the last of their step before the pause is never acknowledged by itself.
  const slack = VIEWER_WINDOW_BYTES / 8;
  flow.ack(viewer.offset - slack - 1);
  await terminal.answer();
  expect(viewer.snapshots).toBe(0);
  flow.ack(viewer.offset - slack);
  await terminal.answer();
  expect(viewer).toMatchObject({ snapshots: 1, offset: terminal.ring.end });
});

test("the exit comes after the last byte, also to a viewer that lags behind it", async () => {
  const terminal = new FakeTerminal();
  const { viewer, flow } = attach(terminal, { boot: terminal.boot, offset: 0 });
  for (let i = 0; i < 100; i++) {
    terminal.print(60_000);
    flow.pump();
  }
  terminal.exit = { code: 0, signal: 0 };
  flow.pump();
  expect(viewer.sawExit).toBe(false);
  flow.ack(viewer.offset);
  await terminal.answer();
  expect(viewer).toMatchObject({ sawExit: true, offset: terminal.ring.end });
});

test("whatever happens in whatever order, no byte is missing or repeated and no more than a window is under way", async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("print" as const), length: fc.nat(900_000) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("ack" as const),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("grid" as const), cols: fc.integer({ min: 2, max: 300 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("answer" as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const terminal = new FakeTerminal();
      const { viewer, flow } = attach(terminal, {});
      for (const now of steps) {
        if (now.kind === "print") {
          terminal.print(now.length);
          terminal.grids.prune(terminal.ring.start);
          flow.pump();
        } else if (now.kind === "ack") {
          viewer.acked += Math.floor((viewer.offset - viewer.acked) * now.share);
          flow.ack(viewer.acked);
        } else if (now.kind === "grid") {
          terminal.grids.add(terminal.ring.end, { cols: now.cols, rows: 24 });
          flow.pump();
        } else await terminal.answer();
        expect(viewer.offset - viewer.acked).toBeLessThanOrEqual(VIEWER_WINDOW_BYTES + 64 * 1024);
      }
      terminal.exit = { code: 0, signal: 0 };
      flow.pump();
      for (let round = 0; round < 20 && !viewer.sawExit; round++) {
        await terminal.answer();
        flow.ack(viewer.offset);
      }
      const { cols, rows } = terminal.grids.current;
      expect(viewer).toMatchObject({ sawExit: true, offset: terminal.ring.end, grid: `${cols}x${rows}` });
    }),
    { numRuns: 60 },
  );
});
