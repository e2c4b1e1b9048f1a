// Output on its way into a terminal engine. One piece at a time is handed over, so that a change of grid or a new
// beginning falls exactly between the bytes it came between. No engine and no clock of its own.
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
      else if (entry.kind === "reset") this.#sink.reset(entry.grid);
      else this.#hand(entry);
    }
  }

  #hand(first: Extract<Entry, { kind: "bytes" }>): void {
    const joined = [first];
    let size = first.bytes.length;
    for (let next = this.#entries[0]; next?.kind === "bytes"; next = this.#entries[0]) {
      if (size + next.bytes.length > JOIN_MAX_BYTES) break;
      size += next.bytes.length;
      joined.push(next);
      this.#entries.shift();
    }
    this.#inEngine = true;
    this.#sink.write(
      join(
        joined.map((entry) => entry.bytes),
        size,
      ),
      () => {
        this.#inEngine = false;
        if (this.#ended) return;
        for (const entry of joined) entry.onConsumed();
        this.#pump();
      },
    );
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
