// When a terminal's row goes out: facts at once, the noise of flowing output at a pace.

/** Rows that differ in offset and time of last output alone. */
const OUTPUT_PACE_MS = 250;
/** Rows that differ in what input waits and when it came. */
const INPUT_PACE_MS = 100;

/** The first change of a kind goes out at once, the next after its pace, the last one always. */
export class PublishPace {
  #publish: () => void;
  #lastMs = -Infinity;
  #dueMs = Infinity;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(publish: () => void) {
    this.#publish = publish;
  }

  fact(): void {
    this.#within(0);
  }

  input(): void {
    this.#within(INPUT_PACE_MS);
  }

  output(): void {
    this.#within(OUTPUT_PACE_MS);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #within(paceMs: number): void {
    if (this.#stopped) return;
    const now = performance.now();
    const due = this.#lastMs + paceMs;
    if (due <= now) {
      this.#now(now);
      return;
    }
    if (due >= this.#dueMs) return;
    this.#dueMs = due;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(performance.now()), due - now);
    this.#timer.unref();
  }

  #now(now: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueMs = Infinity;
    this.#lastMs = now;
    this.#publish();
  }
}
