// Output on its way into a terminal engine. One piece at a time is handed over, so that a change of grid or a new
// beginning falls exactly between the bytes it came between. No engine and no clock of its own.
import { unfinishedUtf8Bytes } from "@kolu/contract/utf8.ts";
import type { Grid } from "./geometry.ts";

/** The engine: `done` runs when the bytes are parsed. */
export interface OutputSink {
  write(bytes: Uint8Array, done: () => void): void;
  resize(grid: Grid): void;
  reset(grid: Grid): void;
}

type Entry =
  | { kind: "bytes"; bytes: Uint8Array; onConsumed: () => void }
  | { kind: "resize"; grid: Grid }
  | { kind: "reset"; grid: Grid };

/** Neighbouring pieces are joined up to this, which the engine parses in a few milliseconds. */
export const JOIN_MAX_BYTES = 64 * 1024;

export class OutputQueue {
  #entries: Entry[] = [];
  #inEngine = false;
  #gatherMs = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #ended = false;
  /** The beginning of a character whose rest is still on its way: the engine would lose some of those. */
  #unfinished = new Uint8Array(0);
  readonly #sink: OutputSink;

  constructor(sink: OutputSink) {
    this.#sink = sink;
  }

  /** How long output may gather before it is shown; 0 shows it at once, and also what has gathered so far. */
  setGatherMs(gatherMs: number): void {
    this.#gatherMs = gatherMs;
    if (gatherMs === 0) this.#pump();
  }

  write(bytes: Uint8Array, onConsumed: () => void): void {
    this.#push({ kind: "bytes", bytes, onConsumed });
  }

  resize(grid: Grid): void {
    this.#push({ kind: "resize", grid });
  }

  /** What waits is dropped: the new beginning says it again. */
  reset(grid: Grid): void {
    this.#entries = [];
    this.#push({ kind: "reset", grid });
  }

  end(): void {
    this.#ended = true;
    this.#entries = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #push(entry: Entry): void {
    if (this.#ended) return;
    this.#entries.push(entry);
    if (this.#gatherMs === 0) this.#pump();
    else this.#timer ??= setTimeout(() => this.#pump(), this.#gatherMs);
  }

  #pump(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (!this.#inEngine && !this.#ended) {
      const entry = this.#entries.shift();
      if (!entry) return;
      if (entry.kind === "resize") this.#sink.resize(entry.grid);
      else if (entry.kind === "reset") this.#begin(entry.grid);
      else this.#hand(entry);
    }
  }

  #begin(grid: Grid): void {
    this.#unfinished = new Uint8Array(0);
    this.#sink.reset(grid);
  }

  #hand(first: Extract<Entry, { kind: "bytes" }>): void {
    const joined = [first];
    let size = this.#unfinished.length + first.bytes.length;
    for (let next = this.#entries[0]; next?.kind === "bytes"; next = this.#entries[0]) {
      if (size + next.bytes.length > JOIN_MAX_BYTES) break;
      size += next.bytes.length;
      joined.push(next);
      this.#entries.shift();
    }
    const pieces = joined.map((entry) => entry.bytes);
    const bytes =
      this.#unfinished.length === 0 ? join(pieces, size) : join([this.#unfinished, ...pieces], size);
    const wholeBytes = bytes.length - unfinishedUtf8Bytes(bytes);
    this.#unfinished = bytes.slice(wholeBytes);
    this.#inEngine = true;
    this.#sink.write(bytes.subarray(0, wholeBytes), () => {
      this.#inEngine = false;
      if (this.#ended) return;
      for (const entry of joined) entry.onConsumed();
      this.#pump();
    });
  }
}

function join(pieces: Uint8Array[], size: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
