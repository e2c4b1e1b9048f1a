// Rows of cells in a tenth of their space: runs of one look, and characters as bytes where they are plain. Packing is
// what a flood pays for every row that leaves the screen, so it only copies; text and VT are made when somebody asks.
//
//   row    u16 columns used, u8 wrapped, runs
//   run    u8 kind (blank, plain, any) with LOOK when it has one, u16 cells
//          with LOOK: u32 foreground word, u32 background word, and u32 underline, u32 link when the background has them
//          plain: a byte a cell. any: u24 content word a cell, followed by u16 length and UTF-8 when it is a cluster

import {
  BG_EXTENDED,
  CODE_POINT,
  COLOR_MODE,
  HAS_CONTENT,
  IS_COMBINED,
  ONE_COLUMN,
  WIDTH_SHIFT,
  WORDS_PER_CELL,
} from "./cell-words.ts";
import type { EngineLine } from "./engine.ts";

const BLANK = 0;
const PLAIN = 1;
const ANY = 2;
const KIND_MASK = 0x0f;
const LOOK = 0x80;

/** Header of a run with everything, and the most that a cell without a cluster takes. */
const RUN_HEADER_BYTES = 19;
const CELL_BYTES = 3;
const START_BYTES = 64 * 1024;
/** A program can pile any number of marks onto one character; what is older keeps this many. */
const CLUSTER_MAX_CHARS = 1_000;

/** Work space of this thread: packing never nests. */
let space = Buffer.allocUnsafeSlow(START_BYTES);

function ensure(end: number): void {
  if (end <= space.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(end, space.length * 2));
  space.copy(larger);
  space = larger;
}

/** Packs `count` rows; `wraps` says which continue the row before. The answer is a buffer of its own. */
export function packRows(
  count: number,
  lineAt: (index: number) => EngineLine,
  wraps: (index: number) => boolean,
): Uint8Array {
  let end = 0;
  for (let index = 0; index < count; index++) end = packRow(end, lineAt(index), wraps(index));
  return new Uint8Array(space.subarray(0, end));
}

function usedColumns(line: EngineLine): number {
  const data = line._data;
  let column = line.length;
  while (column > 0) {
    const offset = (column - 1) * WORDS_PER_CELL;
    if (data[offset]! & HAS_CONTENT || data[offset + 2]! & COLOR_MODE) break;
    column--;
  }
  // The second half of a wide character is its own.
  return column < line.length && column > 0 && data[(column - 1) * WORDS_PER_CELL]! >> WIDTH_SHIFT === 2
    ? column + 1
    : column;
}

function kindOf(content: number): number {
  if ((content & (HAS_CONTENT | ONE_COLUMN)) === ONE_COLUMN) return BLANK;
  return content >= (ONE_COLUMN | 0x20) && content < (ONE_COLUMN | 0x7f) ? PLAIN : ANY;
}

function packRow(start: number, line: EngineLine, wrapped: boolean): number {
  const data = line._data;
  const used = usedColumns(line);
  ensure(start + 3 + used * (RUN_HEADER_BYTES + CELL_BYTES));
  space.writeUInt16LE(used, start);
  space[start + 2] = wrapped ? 1 : 0;
  let at = start + 3;
  let column = 0;
  while (column < used) {
    let offset = column * WORDS_PER_CELL;
    const fg = data[offset + 1]!;
    const bg = data[offset + 2]!;
    const extended = bg & BG_EXTENDED ? line._extendedAttrs[column] : undefined;
    const kind = kindOf(data[offset]!);
    const first = column;
    do {
      column++;
      offset += WORDS_PER_CELL;
    } while (
      column < used &&
      data[offset + 1] === fg &&
      data[offset + 2] === bg &&
      kindOf(data[offset]!) === kind &&
      (extended === undefined || line._extendedAttrs[column] === extended)
    );
    const hasLook = fg !== 0 || bg !== 0;
    space[at++] = kind | (hasLook ? LOOK : 0);
    at = space.writeUInt16LE(column - first, at);
    if (hasLook) {
      at = space.writeUInt32LE(fg, at);
      at = space.writeUInt32LE(bg, at);
      if (bg & BG_EXTENDED) {
        at = space.writeUInt32LE((extended?._ext ?? 0) >>> 0, at);
        at = space.writeUInt32LE(extended?.urlId ?? 0, at);
      }
    }
    if (kind === PLAIN)
      for (let cell = first; cell < column; cell++) space[at++] = data[cell * WORDS_PER_CELL]! & 0x7f;
    else if (kind === ANY) at = packCells(at, line, first, column);
  }
  return at;
}

function packCells(start: number, line: EngineLine, first: number, end: number): number {
  let at = start;
  for (let column = first; column < end; column++) {
    const content = line._data[column * WORDS_PER_CELL]!;
    space[at++] = content;
    space[at++] = content >> 8;
    space[at++] = content >> 16;
    if ((content & IS_COMBINED) === 0) continue;
    const cluster = line._combined[column] ?? "";
    // Room for the cluster and for all that may still come of this row.
    ensure(at + 2 + cluster.length * 3 + (line.length - column) * (RUN_HEADER_BYTES + CELL_BYTES));
    const length = space.write(cluster.slice(0, CLUSTER_MAX_CHARS), at + 2);
    space.writeUInt16LE(length, at);
    at += 2 + length;
  }
  return at;
}

/** Text of packed rows: never-written cells as spaces, nothing trimmed but what is blank to the end. */
export function unpackText(bytes: Uint8Array, rowCount: number): { text: string; wrapped: boolean }[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const rows: { text: string; wrapped: boolean }[] = [];
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    const used = view.readUInt16LE(at);
    const wrapped = view[at + 2] === 1;
    at += 3;
    let text = "";
    for (let column = 0; column < used; ) {
      const tag = view[at]!;
      const cells = view.readUInt16LE(at + 1);
      at += 3;
      if (tag & LOOK) at += view.readUInt32LE(at + 4) & BG_EXTENDED ? 16 : 8;
      const kind = tag & KIND_MASK;
      if (kind === BLANK) text += " ".repeat(cells);
      else if (kind === PLAIN) {
        text += view.toString("latin1", at, at + cells);
        at += cells;
      } else {
        for (let cell = 0; cell < cells; cell++) {
          const content = view.readUIntLE(at, CELL_BYTES);
          at += CELL_BYTES;
          if (content & IS_COMBINED) {
            const length = view.readUInt16LE(at);
            text += view.toString("utf8", at + 2, at + 2 + length);
            at += 2 + length;
          } else if (content & CODE_POINT) text += String.fromCodePoint(content & CODE_POINT);
          else if (content >> WIDTH_SHIFT !== 0) text += " ";
        }
      }
      column += cells;
    }
    rows.push({ text, wrapped });
  }
  return rows;
}

/** Calls `visit` with every row as the emulator's line; the line is one object, good until the next call. */
export function unpackLines(
  bytes: Uint8Array,
  rowCount: number,
  cols: number,
  visit: (line: EngineLine, wrapped: boolean) => void,
): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const line = new UnpackedLine(cols);
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    const used = view.readUInt16LE(at);
    const wrapped = view[at + 2] === 1;
    line.clear();
    at = unpackRow(view, at + 3, used, line);
    visit(line, wrapped);
  }
}

function unpackRow(view: Buffer, start: number, used: number, line: UnpackedLine): number {
  const data = line._data;
  let at = start;
  for (let column = 0; column < used; ) {
    const tag = view[at]!;
    const end = column + view.readUInt16LE(at + 1);
    at += 3;
    let fg = 0;
    let bg = 0;
    let extended: { _ext: number; urlId: number } | undefined;
    if (tag & LOOK) {
      fg = view.readUInt32LE(at);
      bg = view.readUInt32LE(at + 4);
      at += 8;
      if (bg & BG_EXTENDED) {
        extended = { _ext: view.readUInt32LE(at), urlId: view.readUInt32LE(at + 4) };
        at += 8;
      }
    }
    const kind = tag & KIND_MASK;
    for (; column < end; column++) {
      const offset = column * WORDS_PER_CELL;
      data[offset + 1] = fg;
      data[offset + 2] = bg;
      if (extended) line._extendedAttrs[column] = extended as never;
      if (kind === PLAIN) data[offset] = ONE_COLUMN | view[at++]!;
      else if (kind === ANY) {
        const content = view.readUIntLE(at, CELL_BYTES);
        data[offset] = content;
        at += CELL_BYTES;
        if (content & IS_COMBINED) {
          const length = view.readUInt16LE(at);
          line._combined[column] = view.toString("utf8", at + 2, at + 2 + length);
          at += 2 + length;
        }
      }
    }
  }
  return at;
}

/** As much of the emulator's line as reading one needs. */
class UnpackedLine implements EngineLine {
  readonly _data: Uint32Array;
  _combined: Record<number, string> = {};
  _extendedAttrs: EngineLine["_extendedAttrs"] = {};
  readonly length: number;
  isWrapped = false;

  constructor(cols: number) {
    this.length = cols;
    this._data = new Uint32Array(cols * WORDS_PER_CELL);
  }

  clear(): void {
    this._data.fill(0);
    for (let column = 0; column < this.length; column++) this._data[column * WORDS_PER_CELL] = ONE_COLUMN;
    this._combined = {};
    this._extendedAttrs = {};
  }

  getString(column: number): string {
    const content = this._data[column * WORDS_PER_CELL]!;
    if (content & IS_COMBINED) return this._combined[column] ?? "";
    return content & CODE_POINT ? String.fromCodePoint(content & CODE_POINT) : "";
  }

  getWidth(column: number): number {
    return this._data[column * WORDS_PER_CELL]! >> WIDTH_SHIFT;
  }

  getTrimmedLength(): number {
    for (let column = this.length - 1; column >= 0; column--) {
      const content = this._data[column * WORDS_PER_CELL]!;
      if (content & HAS_CONTENT) return column + (content >> WIDTH_SHIFT);
    }
    return 0;
  }

  translateToString(): string {
    let text = "";
    for (let column = 0; column < this.getTrimmedLength(); column += this.getWidth(column) || 1)
      text += this.getString(column) || " ";
    return text;
  }
}
