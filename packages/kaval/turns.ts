// Whose turn it is among the screens of one worker. A screen that floods must not keep another's keystroke waiting: work
// is done in slices, round robin, and a screen that was at rest and got little goes first.
import type { Work } from "./screen-messages.ts";

/** Bytes parsed in one turn: two to three milliseconds. */
export const SLICE_BYTES = 64 * 1024;
/** What a screen at rest may get and still go before the flooding ones: more than any echo or redrawn frame. */
const SMALL_BYTES = 16 * 1024;

export interface Turns {
  add(work: Work): void;
  /** Forgets a screen's work. Answers what it was. */
  drop(screen: number): Work[];
  /**
   * The next slice: work of one screen, in order; bytes are cut to the slice, a question ends it. Null when nothing waits.
   */
  next(): Work[] | null;
  readonly isEmpty: boolean;
}

export function createTurns(): Turns {
  const queues = new Map<number, Work[]>();
  /** Screens with work, each in one of the two; first come, first served. */
  const first: number[] = [];
  const later: number[] = [];

  function slice(queue: Work[]): Work[] {
    const taken: Work[] = [];
    let budget = SLICE_BYTES;
    while (queue.length > 0 && budget > 0) {
      const work = queue[0]!;
      if (work.kind === "write" && work.bytes.length > budget) {
        taken.push({ ...work, bytes: work.bytes.subarray(0, budget) });
        queue[0] = { ...work, bytes: work.bytes.subarray(budget) };
        break;
      }
      taken.push(work);
      queue.shift();
      if (work.kind === "write") budget -= work.bytes.length;
      if (work.kind === "ask") break;
    }
    return taken;
  }

  return {
    add(work) {
      const queue = queues.get(work.screen);
      if (queue) {
        queue.push(work);
        return;
      }
      queues.set(work.screen, [work]);
      const isSmall = work.kind !== "write" || work.bytes.length <= SMALL_BYTES;
      (isSmall ? first : later).push(work.screen);
    },
    drop(screen) {
      const dropped = queues.get(screen) ?? [];
      queues.delete(screen);
      for (const line of [first, later]) {
        const index = line.indexOf(screen);
        if (index !== -1) line.splice(index, 1);
      }
      return dropped;
    },
    next() {
      const screen = first.shift() ?? later.shift();
      if (screen === undefined) return null;
      const queue = queues.get(screen)!;
      const taken = slice(queue);
      if (queue.length > 0) later.push(screen);
      else queues.delete(screen);
      return taken;
    },
    get isEmpty() {
      return queues.size === 0;
    },
  };
}
