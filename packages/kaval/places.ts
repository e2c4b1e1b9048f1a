// Places of one screen by how many bytes had been parsed: an input, a resize, a text that was given out. Pure but for its
// own memory.
import type { Place } from "@kolu/screen/since.ts";

/** The oldest go: whoever asks from before them is told what came after the oldest that is left. */
const PLACES_MAX = 512;

export class Places {
  readonly #places: { parsedBytes: number; place: Place }[] = [];

  note(parsedBytes: number, place: Place): void {
    const last = this.#places.at(-1);
    if (last?.parsedBytes === parsedBytes && last.place.epoch === place.epoch) return;
    this.#places.push({ parsedBytes, place });
    if (this.#places.length > PLACES_MAX) this.#places.shift();
  }

  /** The first at or after so many bytes whose rows are still numbered alike. Null: none was noted since. */
  since(parsedBytes: number, epoch: number): Place | null {
    const found = this.#places.find((one) => one.parsedBytes >= parsedBytes && one.place.epoch === epoch);
    return found?.place ?? null;
  }
}
