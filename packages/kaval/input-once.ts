// Input frames that arrive twice, because a viewer sent them again after a reconnect, are written once, and those behind a
// refused one wait for it: what was typed arrives in its order or not at all. Pure.

/** Viewers whose numbers are remembered for one terminal; beyond it the longest silent is forgotten. */
const VIEWERS_MAX = 64;

interface Seen {
  /** Highest number written. */
  last: number;
  /** The number that was refused and has not come again. */
  owed: number | null;
}

/** repeat: it was written before. early: one before it was refused and comes first. new: it may be written. */
export type InputTurn = "repeat" | "early" | "new";

/** A viewer numbers its input frames upwards from any start and keeps its name over reconnects, not over restarts. */
export class InputOnce {
  #viewers = new Map<string, Seen>();

  turnOf(viewer: string, seq: number): InputTurn {
    const seen = this.#viewers.get(viewer);
    if (seen === undefined) return "new";
    if (seq <= seen.last) return "repeat";
    return seen.owed !== null && seq > seen.owed ? "early" : "new";
  }

  wrote(viewer: string, seq: number): void {
    const seen = this.#touch(viewer);
    seen.last = Math.max(seen.last, seq);
    seen.owed = null;
  }

  refused(viewer: string, seq: number): void {
    const seen = this.#touch(viewer);
    seen.owed = Math.min(seen.owed ?? seq, seq);
  }

  /** It connects again, and begins with whatever it still has to say. */
  attached(viewer: string): void {
    const seen = this.#viewers.get(viewer);
    if (seen !== undefined) seen.owed = null;
  }

  #touch(viewer: string): Seen {
    const seen = this.#viewers.get(viewer) ?? { last: -1, owed: null };
    this.#viewers.delete(viewer);
    this.#viewers.set(viewer, seen);
    if (this.#viewers.size > VIEWERS_MAX) this.#viewers.delete(this.#viewers.keys().next().value!);
    return seen;
  }
}
