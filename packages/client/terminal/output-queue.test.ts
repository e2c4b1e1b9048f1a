import { expect, test } from "vitest";
import { OutputQueue } from "./output-queue.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** An engine that parses when told to, and a log of what reached it. */
function engine() {
  const log: string[] = [];
  let done: (() => void) | null = null;
  const queue = new OutputQueue({
    write(bytes, parsed) {
      log.push(new TextDecoder().decode(bytes));
      done = parsed;
    },
    resize: (grid) => log.push(`resize ${grid.cols}x${grid.rows}`),
    reset: (grid) => log.push(`reset ${grid.cols}x${grid.rows}`),
  });
  const parse = () => {
    const parsed = done;
    done = null;
    parsed?.();
  };
  return { log, queue, parse };
}
const nothing = () => {};
const GRID = { cols: 80, rows: 24 };

test("a change of grid falls between the bytes it came between", () => {
  const { log, queue, parse } = engine();
  queue.write(bytesOf("a"), nothing);
  queue.resize(GRID);
  queue.write(bytesOf("b"), nothing);
  expect(log).toEqual(["a"]);
  parse();
  expect(log).toEqual(["a", "resize 80x24", "b"]);
});

test("pieces that wait behind one are handed over as one, and each is told when it is consumed", () => {
  const { log, queue, parse } = engine();
  const consumed: string[] = [];
  for (const text of ["a", "b", "c"]) queue.write(bytesOf(text), () => consumed.push(text));
  parse();
  parse();
  expect(log).toEqual(["a", "bc"]);
  expect(consumed).toEqual(["a", "b", "c"]);
});

test("a new beginning drops what waits, and what is being parsed comes before it", () => {
  const { log, queue, parse } = engine();
  queue.write(bytesOf("old"), nothing);
  queue.write(bytesOf("older"), nothing);
  queue.reset(GRID);
  queue.write(bytesOf("new"), nothing);
  parse();
  expect(log).toEqual(["old", "reset 80x24", "new"]);
});

test("nothing reaches an engine that is gone", () => {
  const { log, queue, parse } = engine();
  queue.write(bytesOf("a"), () => log.push("consumed"));
  queue.write(bytesOf("b"), nothing);
  queue.end();
  parse();
  queue.write(bytesOf("c"), nothing);
  expect(log).toEqual(["a"]);
});

test("gathered output is shown as one when its keyboard comes", () => {
  const { log, queue, parse } = engine();
  queue.setGatherMs(60_000);
  queue.write(bytesOf("a"), nothing);
  queue.write(bytesOf("b"), nothing);
  expect(log).toEqual([]);
  queue.setGatherMs(0);
  parse();
  expect(log).toEqual(["ab"]);
  queue.end();
});

test("a character cut between two pieces reaches the engine whole, and a new beginning forgets its first half", () => {
  const { log, queue, parse } = engine();
  const dash = bytesOf("a—b");
  queue.write(dash.subarray(0, 3), nothing);
  parse();
  queue.write(dash.subarray(3), nothing);
  parse();
  expect(log).toEqual(["a", "—b"]);
  queue.write(dash.subarray(0, 2), nothing);
  parse();
  queue.reset(GRID);
  queue.write(bytesOf("c"), nothing);
  expect(log.slice(2)).toEqual(["a", "reset 80x24", "c"]);
});
