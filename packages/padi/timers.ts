// Timers by name, so that one owner can stop all of one terminal.

export interface Timers {
  /** Replaces a timer of that name. */
  start(name: string, delayMs: number, fire: () => void): void;
  /** Leaves a running timer of that name alone. */
  startOnce(name: string, delayMs: number, fire: () => void): void;
  /** Stops every timer whose name contains this. */
  clear(part: string): void;
}

export function createTimers(): Timers {
  const timers = new Map<string, NodeJS.Timeout>();
  const start = (name: string, delayMs: number, fire: () => void): void => {
    clearTimeout(timers.get(name));
    const timer = setTimeout(
      () => {
        timers.delete(name);
        fire();
      },
      Math.max(0, delayMs),
    );
    timers.set(name, timer.unref());
  };
  return {
    start,
    startOnce: (name, delayMs, fire) => {
      if (!timers.has(name)) start(name, delayMs, fire);
    },
    clear(part) {
      for (const [name, timer] of timers) {
        if (!name.includes(part)) continue;
        clearTimeout(timer);
        timers.delete(name);
      }
    },
  };
}
