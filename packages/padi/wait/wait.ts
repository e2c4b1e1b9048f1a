// A wait from its request to its answer. What "met" means is judge.ts; how news reaches the judgement is course.ts.
import { type Cursor, parseCursor } from "@kolu/contract/attach.ts";
import type { PadiContract, WaitFrame } from "@kolu/contract/padi.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { ParamsOf } from "@kolu/contract/rpc.ts";
import { Course, type WaitWorld } from "./course.ts";
import { parsePattern } from "./pattern.ts";

export type WaitParams = ParamsOf<PadiContract, "terminal.wait">;

/**
 * Resolves with how the wait ended. Rejects with `terminal-not-found` (an id that never was), `bad-pattern`, `bad-cursor`,
 * or the signal's reason when the caller leaves.
 */
export async function wait(params: WaitParams, world: WaitWorld, signal: AbortSignal): Promise<WaitFrame> {
  const { until } = params;
  const pattern = until.kind === "match" ? parsePattern(until.pattern) : null;
  const after = params.after === undefined ? null : readCursor(params.after);
  const standing = world.store.standing(params.id);
  if (standing.kind === "unknown") throw terminalNotFound(params.id);
  const id = params.id as WaitFrame["id"];
  if (standing.kind === "gone" || standing.record.life !== "active")
    return { id, result: "gone", elapsedMs: 0 };
  const course = new Course(
    {
      id,
      pattern,
      after,
      screenTail: params.screenTail ?? null,
      timeoutMs: params.timeoutMs ?? null,
      spec: { until, settledMs: params.settledMs ?? null, afterMs: after?.atMs ?? null },
    },
    world,
  );
  return course.run(signal);
}

function readCursor(text: string): Cursor {
  const cursor = parseCursor(text);
  if (cursor) return cursor;
  throw refuse("bad-cursor", { cursor: text }, "This is no cursor. Pass back one that a send returned.");
}
