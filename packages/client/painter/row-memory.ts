// What of each row stands on the canvas, so that only what changed is painted. No canvas, no emulator of its own.
import type { EngineLine } from "./engine.ts";

const IS_COMBINED = 0x200000;
const BG_EXTENDED = 0x10000000;

interface Painted {
  words: Uint32Array;
  /** What the words do not hold: clusters of several characters, underlines of their own kind. */
  rest: string;
  cursorCol: number | null;
}

export class RowMemory {
  #rows: (Painted | undefined)[] = [];

  forget(): void {
    this.#rows = [];
  }

  /** Whether the row looks other than when last asked; from now on it is what was painted. */
  isNews(row: number, line: EngineLine, cursorCol: number | null): boolean {
    const words = line._data.subarray(0, line.length * 3);
    const rest = restOf(line);
    const known = this.#rows[row];
    if (known && known.cursorCol === cursorCol && known.rest === rest && same(known.words, words))
      return false;
    if (known?.words.length === words.length) {
      known.words.set(words);
      known.rest = rest;
      known.cursorCol = cursorCol;
    } else this.#rows[row] = { words: words.slice(), rest, cursorCol };
    return true;
  }
}

function same(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function restOf(line: EngineLine): string {
  let rest = "";
  for (let col = 0; col < line.length; col++) {
    if (line._data[col * 3]! & IS_COMBINED) rest += `${col}${line._combined[col]}`;
    if (line._data[col * 3 + 2]! & BG_EXTENDED) rest += `${col}_${line._extendedAttrs[col]?._ext}`;
  }
  return rest;
}
