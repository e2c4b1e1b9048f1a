// When screens are saved: soon after output begins, then seldom while it lasts, never while nothing happens. One at a
// time, with rests between: a full scrollback of colours takes a tenth of a second, and there may be dozens of them.

/** From the first byte that a save does not have to the save. */
const FIRST_DELAY_MS = 2_000;
/** Between two saves of one screen while output goes on. */
const INTERVAL_MS = 10_000;
/** After a save nothing is saved for this many times as long as it took: a fifth of one core at most. */
const REST_FACTOR = 4;

export interface CheckpointSchedule {
  /** The screen of `id` has something that is not saved. Cheap: called for every chunk of output. */
  dirty(id: string): void;
  /** No more saves of `id`. A save that runs is awaited, so that afterwards nothing writes its file. */
  forget(id: string): Promise<void>;
  /** Saves everything that is dirty now, without rests. Answers how many were saved; failures went to `onFault`. */
  flush(): Promise<number>;
  /** Stops; what is dirty stays so. Call `flush` before to keep it. */
  dispose(): void;
}

interface Entry {
  isDirty: boolean;
  timer: NodeJS.Timeout | null;
  savedAtMs: number;
}

/**
 * `write` saves one screen; a rejection is told to `onFault` and tried again after the interval. Never called twice at
 * once.
 */
export function createCheckpointSchedule(options: {
  write(id: string): Promise<void>;
  onFault(error: unknown): void;
  now?(): number;
}): CheckpointSchedule {
  const now = options.now ?? Date.now;
  const entries = new Map<string, Entry>();
  /** Their time has come; first come, first saved. */
  const due = new Set<string>();
  let running: { id: string; done: Promise<boolean> } | null = null;
  let restTimer: NodeJS.Timeout | null = null;

  function arm(id: string, entry: Entry): void {
    if (entry.timer || due.has(id) || running?.id === id) return;
    const delayMs = Math.max(FIRST_DELAY_MS, entry.savedAtMs + INTERVAL_MS - now());
    entry.timer = setTimeout(() => {
      entry.timer = null;
      due.add(id);
      next();
    }, delayMs);
    // A save that waits keeps no process alive; whoever ends one flushes.
    entry.timer.unref();
  }

  function next(): void {
    const [id] = due;
    if (id === undefined || running || restTimer) return;
    const startedAtMs = now();
    void save(id).then(() => {
      restTimer = setTimeout(
        () => {
          restTimer = null;
          next();
        },
        (now() - startedAtMs) * REST_FACTOR,
      );
      restTimer.unref();
    });
  }

  /** Never rejects; false when it failed or was forgotten. The caller sees to it that nothing else runs. */
  function save(id: string): Promise<boolean> {
    const entry = entries.get(id);
    due.delete(id);
    if (!entry) return Promise.resolve(false);
    if (entry.timer) clearTimeout(entry.timer);
    entry.timer = null;
    entry.isDirty = false;
    entry.savedAtMs = now();
    const done = options.write(id).then(
      () => true,
      (error: unknown) => {
        entry.isDirty = true;
        options.onFault(error);
        return false;
      },
    );
    running = { id, done };
    return done.finally(() => {
      running = null;
      if (entry.isDirty && entries.get(id) === entry) arm(id, entry);
    });
  }

  return {
    dirty(id) {
      let entry = entries.get(id);
      if (!entry) {
        entry = { isDirty: false, timer: null, savedAtMs: Number.NEGATIVE_INFINITY };
        entries.set(id, entry);
      }
      if (entry.isDirty) return;
      entry.isDirty = true;
      arm(id, entry);
    },
    async forget(id) {
      const timer = entries.get(id)?.timer;
      if (timer) clearTimeout(timer);
      entries.delete(id);
      due.delete(id);
      if (running?.id === id) await running.done;
    },
    async flush() {
      let saved = 0;
      const dirty = [...entries].filter(([id, entry]) => entry.isDirty || running?.id === id);
      for (const [id] of dirty) {
        // A save that runs may have begun before the latest bytes.
        while (running) await running.done;
        if (entries.get(id)?.isDirty && (await save(id))) saved++;
      }
      return saved;
    },
    dispose() {
      for (const entry of entries.values()) if (entry.timer) clearTimeout(entry.timer);
      if (restTimer) clearTimeout(restTimer);
      entries.clear();
      due.clear();
    },
  };
}
