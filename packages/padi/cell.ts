// One value that many watch: each watcher gets the current value and then every later one, or the newest of those it was
// too slow for.

export interface Cell<T> {
  read(): T;
  /** Nothing happens when the value equals the current one. */
  set(value: T): void;
  /** The current value, then changes until the signal aborts. A slow reader skips to the newest. */
  watch(signal: AbortSignal): AsyncIterable<T>;
}

export function createCell<T>(initial: T, equal: (a: T, b: T) => boolean = Object.is): Cell<T> {
  let value = initial;
  let version = 0;
  const waiting = new Set<() => void>();
  return {
    read: () => value,
    set(next) {
      if (equal(value, next)) return;
      value = next;
      version += 1;
      for (const wake of waiting) wake();
    },
    async *watch(signal) {
      let seen = -1;
      while (!signal.aborted) {
        if (seen === version) await nextWake(waiting, signal);
        else {
          seen = version;
          yield value;
        }
      }
    },
  };
}

/** Resolves when something in `waiting` is woken or the signal aborts; leaves nothing behind either way. */
export function nextWake(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      waiting.delete(done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    waiting.add(done);
    signal.addEventListener("abort", done, { once: true });
  });
}
