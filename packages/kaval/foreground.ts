// Which process group has the terminal, looked at when something hints that it may have changed: the kernel tells nobody.
import { readForegroundGroup } from "./process-table.ts";

/** After a command mark: a shell forks, execs and hands the terminal over some time after it has said so. */
const AFTER_MARK_MS = [0, 75, 300, 700, 1_200];
/** Output is the commonest hint, so it is followed up at most this often, and once more after the last. */
const AFTER_OUTPUT_MS = 250;
/** A program that replaces another without a byte of output would be missed: looked for while not at a prompt. */
const HEAL_MS = 2_000;

export class ForegroundWatch {
  #pid: number;
  #onLook: () => void;
  /** True while nothing but the shell itself can be in front: no healing look is needed. */
  #resting: () => boolean;
  #group: number | null = null;
  #due: number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #lastLookMs = -Infinity;
  #looking = false;
  #stopped = false;

  /** `onLook` is called after each look, whether it found a change or not. */
  constructor(pid: number, resting: () => boolean, onLook: () => void) {
    this.#pid = pid;
    this.#resting = resting;
    this.#onLook = onLook;
    this.#lookAgainIn(0);
  }

  get group(): number | null {
    return this.#group;
  }

  titleChanged(): void {
    this.#lookAgainIn(0);
  }

  commandMarked(): void {
    for (const delayMs of AFTER_MARK_MS) this.#lookAgainIn(delayMs);
  }

  outputSeen(): void {
    const now = performance.now();
    const at = Math.max(now, this.#lastLookMs + AFTER_OUTPUT_MS);
    if (this.#due.some((due) => due >= now && due <= at)) return;
    this.#lookAgainIn(at - now);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #lookAgainIn(delayMs: number): void {
    this.#due.push(performance.now() + delayMs);
    this.#arm();
  }

  #arm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#stopped || this.#due.length === 0) return;
    const next = Math.min(...this.#due);
    this.#timer = setTimeout(() => void this.#look(), Math.max(0, next - performance.now()));
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    // Timers may fire a fraction of a millisecond early.
    const now = performance.now() + 1;
    this.#due = this.#due.filter((due) => due > now);
    if (!this.#looking) {
      this.#looking = true;
      this.#lastLookMs = now;
      const group = await readForegroundGroup(this.#pid);
      this.#looking = false;
      if (this.#stopped) return;
      this.#group = group;
      this.#onLook();
    }
    if (this.#due.length === 0 && !this.#resting()) this.#due.push(performance.now() + HEAL_MS);
    this.#arm();
  }
}
