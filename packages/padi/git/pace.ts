// When to look again: at once after a quiet time, then at a distance that grows with what a look costs.

/** How soon a look follows the end of the last one. */
export type Urgency = "soon" | "later";

/** git itself changed something: branch, commit, index. */
const SOON_MS = 150;
/** Files changed, or may have: `dirty` can wait, and an agent that writes all day must not keep git running all day. */
const LATER_MS = 1_000;
/** The rest after a look, as a multiple of how long it took: at most a fifth of a core for one repository. */
const REST_SHARE = 5;

export interface Pace {
  /** There is news. Calls `look` when its time has come; what comes in during a look leads to one more. */
  ask(urgency: Urgency): void;
  stop(): void;
}

/** `look` must not reject. */
export function createPace(look: () => Promise<void>): Pace {
  let timer: NodeJS.Timeout | null = null;
  let dueMs = Number.POSITIVE_INFINITY;
  let looking = false;
  let missed: Urgency | null = null;
  let endedMs = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let stopped = false;

  const run = async (): Promise<void> => {
    timer = null;
    dueMs = Number.POSITIVE_INFINITY;
    looking = true;
    const startedMs = performance.now();
    await look();
    endedMs = performance.now();
    tookMs = endedMs - startedMs;
    looking = false;
    const next = missed;
    missed = null;
    if (next !== null) ask(next);
  };

  const ask = (urgency: Urgency): void => {
    if (stopped) return;
    if (looking) {
      if (missed !== "soon") missed = urgency;
      return;
    }
    const restMs = Math.max(urgency === "soon" ? SOON_MS : LATER_MS, tookMs * REST_SHARE);
    const atMs = Math.max(performance.now(), endedMs + restMs);
    if (atMs >= dueMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(() => void run(), Math.max(0, atMs - performance.now())).unref();
  };

  return {
    ask,
    stop: () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
