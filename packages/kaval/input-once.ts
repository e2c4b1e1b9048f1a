// Input frames that arrive twice, because a viewer sent them again after a reconnect, are written once. Pure.

/** Viewers whose numbers are remembered for one terminal; beyond it the longest silent is forgotten. */
const VIEWERS_MAX = 64;
/** Refused numbers remembered for one viewer; it is told of each refusal, so more than a burst of them has no meaning. */
const REFUSED_MAX = 256;

interface Seen {
  /** Highest number written. */
  last: number;
  /** Numbers that were refused: sent again, they are new. */
  refused: Set<number>;
}

/** A viewer numbers its input frames upwards from any start and keeps its name over reconnects, not over restarts. */
export class InputOnce {
  #viewers = new Map<string, Seen>();

  isRepeat(viewer: string, seq: number): boolean {
    const seen = this.#viewers.get(viewer);
    return seen !== undefined && seq <= seen.last && !seen.refused.has(seq);
  }

  wrote(viewer: string, seq: number): void {
    const seen = this.#touch(viewer);
    seen.last = Math.max(seen.last, seq);
    seen.refused.delete(seq);
  }

  refused(viewer: string, seq: number): void {
    const { refused } = this.#touch(viewer);
    refused.add(seq);
    if (refused.size > REFUSED_MAX) refused.delete(refused.values().next().value!);
  }

  #touch(viewer: string): Seen {
    const seen = this.#viewers.get(viewer) ?? { last: -1, refused: new Set<number>() };
    this.#viewers.delete(viewer);
    this.#viewers.set(viewer, seen);
    if (this.#viewers.size > VIEWERS_MAX) this.#viewers.delete(this.#viewers.keys().next().value!);
    return seen;
  }
}
