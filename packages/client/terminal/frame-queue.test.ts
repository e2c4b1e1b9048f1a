import { expect, test } from "vitest";
import { createFrameQueue } from "./frame-queue.ts";

function world({ costMs }: { costMs: number }) {
  const log: string[] = [];
  const frames: (() => void)[] = [];
  let nowMs = 0;
  const queue = createFrameQueue({ requestFrame: (run) => frames.push(run), now: () => nowMs });
  const work = (name: string) => (): void => {
    log.push(name);
    nowMs += costMs;
  };
  const frame = (): void => {
    log.push("frame");
    frames.shift()?.();
  };
  return { log, frames, queue, work, frame };
}

test("costly work is spread over frames, in the order of asking", () => {
  const { log, frames, queue, work, frame } = world({ costMs: 30 });
  for (const key of ["a", "b", "c"]) queue.ask(key, work(key));
  expect(frames).toHaveLength(1);
  for (let n = 0; n < 3; n++) frame();
  expect(log).toEqual(["frame", "a", "frame", "b", "frame", "c"]);
  expect(frames).toHaveLength(0);
});

test("cheap work shares a frame", () => {
  const { log, queue, work, frame } = world({ costMs: 1 });
  for (const key of ["a", "b", "c"]) queue.ask(key, work(key));
  frame();
  expect(log).toEqual(["frame", "a", "b", "c"]);
});

test("the latest wish of a terminal counts, and a withdrawn one does not happen", () => {
  const { log, queue, work, frame } = world({ costMs: 1 });
  queue.ask("a", work("old"));
  queue.ask("a", work("new"));
  queue.ask("b", work("gone"));
  queue.forget("b");
  frame();
  expect(log).toEqual(["frame", "new"]);
});
