// Looks at one thing, one at a time: whoever asks while a look is under way gets one more after it.

export interface LookLoopOptions {
  /** One look. What it rejects with is told and costs this look alone. */
  look(): Promise<void>;
  onFault(cause: unknown): void;
  /** Epoch milliseconds. */
  now(): number;
}

export class LookLoop {
  readonly #options: LookLoopOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #looking: Promise<void> | null = null;
  #owed = false;
  #lookedAtMs = 0;
  #closed = false;

  constructor(options: LookLoopOptions) {
    this.#options = options;
  }

  /** Looks now, or once more after the look under way. */
  soon(): void {
    if (this.#closed) return;
    this.#owed = true;
    this.#looking ??= this.#lookWhileOwed().finally(() => {
      this.#looking = null;
    });
  }

  later(delayMs: number, ask: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      ask();
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Asks now, or when the last look is so long ago; not again while a look is due anyway. */
  atMostEvery(gapMs: number, ask: () => void): void {
    const sinceMs = this.#options.now() - this.#lookedAtMs;
    if (sinceMs >= gapMs) ask();
    else if (this.#timers.size === 0) this.later(gapMs - sinceMs, ask);
  }

  /** Takes back what was put off. */
  cancelLater(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async settled(): Promise<void> {
    await this.#looking;
  }

  close(): void {
    this.#closed = true;
    this.cancelLater();
  }

  async #lookWhileOwed(): Promise<void> {
    while (this.#owed && !this.#closed) {
      this.#owed = false;
      this.#lookedAtMs = this.#options.now();
      try {
        await this.#options.look();
      } catch (cause) {
        this.#options.onFault(cause);
      }
    }
  }
}
