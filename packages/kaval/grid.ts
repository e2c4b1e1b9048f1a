// Whose grid counts when one PTY has many viewers, and where in the output each grid began. Pure.

export interface Grid {
  cols: number;
  rows: number;
}

export function sameGrid(a: Grid, b: Grid): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}

/** Viewers that left and may come back under the same name; beyond it the longest absent is forgotten. */
const ABSENT_MAX = 64;

interface Seat {
  /** What this viewer could show; null until it said so. */
  size: Grid | null;
  /** Order of its last keystroke or focus among all; 0 when it never did either. */
  acted: number;
  present: boolean;
}

/**
 * The grid follows the viewer that last typed or took the focus; merely looking changes nothing. Only a terminal whose
 * grid was never anybody's takes the first size that it is told. Each method answers the grid to apply, or null.
 */
export class GridRule {
  #seats = new Map<string, Seat>();
  #owner: string | null = null;
  #everOwned = false;
  #clock = 0;

  arrive(viewer: string): void {
    const seat = this.#seats.get(viewer) ?? { size: null, acted: 0, present: true };
    seat.present = true;
    this.#seats.delete(viewer);
    this.#seats.set(viewer, seat);
  }

  resized(viewer: string, size: Grid): Grid | null {
    const seat = this.#seats.get(viewer);
    if (!seat) return null;
    seat.size = size;
    if (!this.#everOwned) this.#own(viewer);
    return this.#owner === viewer ? size : null;
  }

  /** The viewer typed or took the focus. */
  acted(viewer: string): Grid | null {
    const seat = this.#seats.get(viewer);
    if (!seat) return null;
    this.#clock += 1;
    seat.acted = this.#clock;
    this.#own(viewer);
    return seat.size;
  }

  leave(viewer: string): void {
    const seat = this.#seats.get(viewer);
    if (!seat) return;
    seat.present = false;
    let absent = [...this.#seats.values()].filter((other) => !other.present).length;
    for (const [name, other] of this.#seats) {
      if (absent <= ABSENT_MAX) break;
      if (other.present) continue;
      this.#seats.delete(name);
      absent -= 1;
    }
  }

  /** A caller set the grid outright: it is nobody's until the next keystroke or focus. */
  setOutright(): void {
    this.#owner = null;
    this.#everOwned = true;
  }

  /** True while the viewer whose grid it is has gone and somebody else could take over. */
  get ownerIsAway(): boolean {
    return this.#owner !== null && this.#seats.get(this.#owner)?.present !== true;
  }

  /** Hands an absent owner's grid to the one present who acted last. */
  succeed(): Grid | null {
    if (!this.ownerIsAway) return null;
    let heir: string | null = null;
    let lastActed = 0;
    for (const [name, seat] of this.#seats) {
      if (!seat.present || !seat.size || seat.acted <= lastActed) continue;
      heir = name;
      lastActed = seat.acted;
    }
    if (heir === null) return null;
    this.#own(heir);
    return this.#seats.get(heir)!.size;
  }

  #own(viewer: string): void {
    this.#owner = viewer;
    this.#everOwned = true;
  }
}

export interface GridChange extends Grid {
  /** Output before this offset was written for the grid before. */
  offset: number;
  /** Counts up over all changes. */
  index: number;
}

/** The grids that the output still held was written for. A viewer that resumes is told each in its place. */
export class GridLog {
  #changes: GridChange[];

  constructor(first: Grid) {
    this.#changes = [{ ...first, offset: 0, index: 0 }];
  }

  get current(): GridChange {
    return this.#changes[this.#changes.length - 1]!;
  }

  add(offset: number, grid: Grid): void {
    this.#changes.push({ cols: grid.cols, rows: grid.rows, offset, index: this.current.index + 1 });
  }

  /** Forgets changes that no byte from `start` on needs. */
  prune(start: number): void {
    while (this.#changes.length > 1 && this.#changes[1]!.offset <= start) this.#changes.shift();
  }

  /** The grid in force at an offset that is still held. */
  at(offset: number): GridChange {
    return this.#changes.findLast((change) => change.offset <= offset) ?? this.#changes[0]!;
  }

  /** Index below every change at `offset` or later that is held. */
  indexBefore(offset: number): number {
    return this.#changes.findLast((change) => change.offset < offset)?.index ?? this.#changes[0]!.index - 1;
  }

  /** The first change that comes after the one with this index. */
  after(index: number): GridChange | undefined {
    return this.#changes.find((change) => change.index > index);
  }
}
