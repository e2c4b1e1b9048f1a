// Work on terminals that may wait for a frame of its own: laying out thirty terminals at once would freeze the page for
// a second, one a frame is not noticed. The latest wish of each terminal counts.

export interface FrameQueue {
  /** Does this in a coming frame, in the order of asking; a later wish under the same key takes its place. */
  ask(key: string, work: () => void): void;
  forget(key: string): void;
}

/** Work goes on in one frame until this much of it is used: about half of what a frame at 60 Hz has. */
const BUDGET_MS = 8;

export function createFrameQueue(clock: { requestFrame(run: () => void): void; now(): number }): FrameQueue {
  const waiting = new Map<string, () => void>();
  let asked = false;

  function askFrame(): void {
    if (asked || waiting.size === 0) return;
    asked = true;
    clock.requestFrame(runFrame);
  }

  function runFrame(): void {
    asked = false;
    const startMs = clock.now();
    for (const [key, work] of waiting) {
      waiting.delete(key);
      work();
      if (clock.now() - startMs >= BUDGET_MS) break;
    }
    askFrame();
  }

  return {
    ask(key, work) {
      waiting.set(key, work);
      askFrame();
    },
    forget: (key) => void waiting.delete(key),
  };
}
