// When output is sent on: the first bytes at once, what follows hard upon them together.

/** Output that may gather before it is sent on. */
const GATHER_MAX_BYTES = 32 * 1024;
/** This much without a pause is a flood: output then gathers for a moment, not merely for a turn of the event loop. */
const FLOOD_BYTES = 64 * 1024;
const FLOOD_PAUSE_MS = 5;
const FLOOD_GATHER_MS = 2;

export class OutputPace {
  #flush: () => void;
  #gatheredBytes = 0;
  /** Stops the gathering that goes on. */
  #stopGathering: (() => void) | null = null;
  #flowBytes = 0;
  #lastReadAtMs = 0;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Output came. True when it was sent on at once because nothing was gathering. */
  received(bytes: number): boolean {
    const now = Date.now();
    this.#flowBytes = now - this.#lastReadAtMs > FLOOD_PAUSE_MS ? bytes : this.#flowBytes + bytes;
    this.#lastReadAtMs = now;
    if (this.#stopGathering) {
      this.#gatheredBytes += bytes;
      if (this.#gatheredBytes >= GATHER_MAX_BYTES) this.#send();
      return false;
    }
    this.#send();
    this.#gather();
    return true;
  }

  stop(): void {
    this.#stopGathering?.();
    this.#stopGathering = null;
  }

  #send(): void {
    this.#gatheredBytes = 0;
    this.#flush();
  }

  #gather(): void {
    const done = (): void => {
      this.#stopGathering = null;
      this.#send();
    };
    if (this.#flowBytes > FLOOD_BYTES) {
      const timer = setTimeout(done, FLOOD_GATHER_MS);
      this.#stopGathering = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(done);
      this.#stopGathering = () => clearImmediate(immediate);
    }
  }
}
