// When screens are saved: soon after output begins, then seldom while it lasts, never while nothing happens.

/** From the first byte that a save does not have to the save. */
const FIRST_DELAY_MS = 2_000;
/** Between two saves of one screen while output goes on. */
const INTERVAL_MS = 10_000;

export interface CheckpointSchedule {
  /** The screen of `id` has something that is not saved. Cheap: called for every chunk of output. */
  dirty(id: string): void;
  /** No more saves of `id`. A save that runs is awaited, so that afterwards nothing writes its file. */
  forget(id: string): Promise<void>;
  /** Saves everything that is dirty now. Answers how many were saved; failures went to `onFault`. */
  flush(): Promise<number>;
  /** Stops; what is dirty stays so. Call `flush` before to keep it. */
  dispose(): void;
}

interface Entry {
  isDirty: boolean;
  timer: NodeJS.Timeout | null;
  running: Promise<boolean> | null;
  savedAtMs: number;
}

/**
 * `write` saves one screen; a rejection is told to `onFault` and tried again after the interval. At most one save of a
 * screen runs at a time.
 */
export function createCheckpointSchedule(options: {
  write(id: string): Promise<void>;
  onFault(error: unknown): void;
  now?(): number;
}): CheckpointSchedule {
  const now = options.now ?? Date.now;
  const entries = new Map<string, Entry>();

  function arm(id: string, entry: Entry): void {
    if (entry.timer || entry.running) return;
    const delayMs = Math.max(FIRST_DELAY_MS, entry.savedAtMs + INTERVAL_MS - now());
    entry.timer = setTimeout(() => void run(id, entry), delayMs);
    // A save that waits keeps no process alive; whoever ends one flushes.
    entry.timer.unref();
  }

  function run(id: string, entry: Entry): Promise<boolean> {
    if (entry.timer) clearTimeout(entry.timer);
    entry.timer = null;
    entry.running ??= save(id, entry).finally(() => {
      entry.running = null;
      if (entry.isDirty && entries.get(id) === entry) arm(id, entry);
    });
    return entry.running;
  }

  async function save(id: string, entry: Entry): Promise<boolean> {
    entry.isDirty = false;
    entry.savedAtMs = now();
    try {
      await options.write(id);
      return true;
    } catch (error) {
      entry.isDirty = true;
      options.onFault(error);
      return false;
    }
  }

  return {
    dirty(id) {
      let entry = entries.get(id);
      if (!entry) {
        entry = { isDirty: false, timer: null, running: null, savedAtMs: Number.NEGATIVE_INFINITY };
        entries.set(id, entry);
      }
      if (entry.isDirty) return;
      entry.isDirty = true;
      arm(id, entry);
    },
    async forget(id) {
      const entry = entries.get(id);
      if (!entry) return;
      entries.delete(id);
      if (entry.timer) clearTimeout(entry.timer);
      await entry.running;
    },
    async flush() {
      const saves = [...entries].map(async ([id, entry]) => {
        // A save that runs may have begun before the latest bytes.
        await entry.running;
        return entry.isDirty && entries.get(id) === entry ? run(id, entry) : false;
      });
      return (await Promise.all(saves)).filter(Boolean).length;
    },
    dispose() {
      for (const entry of entries.values()) if (entry.timer) clearTimeout(entry.timer);
      entries.clear();
    },
  };
}
