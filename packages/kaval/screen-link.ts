// A terminal's end of its screen: feeds it from the ring, knows how far it has parsed, builds a lost one anew.
import type { TerminalColors } from "@kolu/contract/kaval.ts";
import type { Grid } from "./grid.ts";
import type { Ring } from "./ring.ts";
import type { Checkpoint, OpenScreen, ScreenFacts, Screens } from "./screens.ts";

/** A lost screen is built anew at once; lost again soon, after a growing delay, and at last without its content. */
const LOSSES_FORGOTTEN_MS = 60_000;
const REBUILD_DELAY_MS = 500;
const REBUILD_DELAY_DOUBLINGS_MAX = 5;
const REPLAYS_MAX = 3;

export interface ScreenLinkOptions {
  screens: Screens;
  id: string;
  colors: TerminalColors;
  markNonce: string | null;
  ring: Ring;
  grid(): Grid;
  /** A lost screen is there again. */
  onRebuilt(): void;
}

export class ScreenLink {
  #options: ScreenLinkOptions;
  #colors: TerminalColors;
  #isOpen = false;
  /** Offsets in the terminal's output: handed over, parsed, and where this screen began. */
  #fed = 0;
  #parsed = 0;
  #base = 0;
  /** Offsets that the screen is to remember the place of. */
  #marks: number[] = [];
  #losses = 0;
  #lostAtMs = Number.NEGATIVE_INFINITY;
  #rebuildTimer: NodeJS.Timeout | undefined;

  constructor(options: ScreenLinkOptions, resume: Checkpoint | undefined) {
    this.#options = options;
    this.#colors = options.colors;
    this.#open(resume ? { resume } : {});
  }

  /** Offset of the first byte that the screen has not been handed. */
  get fed(): number {
    return this.#fed;
  }

  /** Bytes in the ring that the screen has not parsed. */
  get unparsedBytes(): number {
    return this.#options.ring.end - this.#parsed;
  }

  /** Hands over what the ring got since the last time. */
  feed(): void {
    const { screens, id, ring } = this.#options;
    for (const offset of this.#marks.splice(0)) {
      // Of a screen that was lost meanwhile.
      if (offset < this.#fed) continue;
      this.#feedTo(offset);
      if (this.#isOpen) screens.place(id);
    }
    this.#feedTo(ring.end);
  }

  #feedTo(offset: number): void {
    const { screens, id, ring } = this.#options;
    if (this.#isOpen) for (const view of ring.views(this.#fed, offset)) screens.write(id, view);
    else this.#parsed = offset;
    this.#fed = offset;
  }

  /** Something was typed: what comes from here on may be asked for. Costs nothing until more comes. */
  mark(): void {
    const { end } = this.#options.ring;
    if (this.#marks.at(-1) !== end) this.#marks.push(end);
  }

  /** The offset in the terminal's output that a screen's count of bytes stands for. */
  offsetOf(parsedBytes: number): number {
    return this.#base + parsedBytes;
  }

  /** The screen's count of bytes at an offset; 0 for one from before it. */
  countAt(offset: number): number {
    return Math.max(0, offset - this.#base);
  }

  onParsed(bytes: number): void {
    this.#parsed += bytes;
  }

  resize({ cols, rows }: Grid): void {
    const { screens, id } = this.#options;
    if (this.#isOpen) screens.resize(id, cols, rows);
  }

  setColors(colors: TerminalColors): void {
    const { screens, id } = this.#options;
    this.#colors = colors;
    if (this.#isOpen) screens.setColors(id, colors);
  }

  close(): void {
    const { screens, id } = this.#options;
    clearTimeout(this.#rebuildTimer);
    if (this.#isOpen) screens.close(id);
    this.#isOpen = false;
  }

  /**
   * The worker that had the screen is gone. A new one is built from what the ring holds: its queries were answered and
   * its bells rung when they were new. Output that kills its worker each time is given up in the end.
   */
  lost(facts: ScreenFacts): void {
    const now = performance.now();
    this.#isOpen = false;
    this.#parsed = this.#fed;
    this.#losses = now - this.#lostAtMs > LOSSES_FORGOTTEN_MS ? 1 : this.#losses + 1;
    this.#lostAtMs = now;
    const doublings = Math.min(this.#losses - 2, REBUILD_DELAY_DOUBLINGS_MAX);
    const delayMs = this.#losses === 1 ? 0 : REBUILD_DELAY_MS * 2 ** doublings;
    this.#rebuildTimer = setTimeout(() => this.#rebuild(facts), delayMs);
  }

  #rebuild(facts: ScreenFacts): void {
    const { ring, onRebuilt } = this.#options;
    const poisoned = this.#losses > REPLAYS_MAX;
    const bytes = poisoned ? new Uint8Array(0) : Buffer.concat(ring.views(ring.start, ring.end));
    this.#base = this.#parsed = this.#fed = ring.end;
    this.#open({ replay: { bytes, facts } });
    onRebuilt();
  }

  #open(content: Pick<OpenScreen, "resume" | "replay">): void {
    const { screens, id, markNonce, grid } = this.#options;
    const { cols, rows } = grid();
    screens.open({ id, cols, rows, colors: this.#colors, markNonce, ...content });
    this.#isOpen = true;
  }
}
