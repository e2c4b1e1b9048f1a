// Old scrollback of one screen: rows that leave the emulator, as chunks of packed rows, deflated when there is time.
// Kept as cells rather than text, which would lose colours and links, or VT, which costs a flood too much to make. Rows
// keep the width they were captured at and are laid out anew for a reader of another width.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { EngineLine } from "./engine.ts";
import { unpackLines, unpackText } from "./packed-rows.ts";
import { trimSpaces } from "./row.ts";

interface Chunk {
  /** Rows that count, at the width of their capture: from the front of those packed. */
  rowCount: number;
  cols: number;
  bytes: Uint8Array;
  isDeflated: boolean;
  /** Rows at the width last asked for. */
  laidOut: { cols: number; rowCount: number } | null;
}

/** Splits text into rows of at most `cols` columns. */
export type SplitAtWidth = (text: string, cols: number) => string[];

export interface Archive {
  readonly rowCount: number;
  readonly byteCount: number;
  /** Takes the packed rows over. */
  push(packed: Uint8Array, rowCount: number, cols: number): void;
  clear(): void;
  /** Drops whole chunks, oldest first, while the rest alone holds `maxRows`. */
  limit(maxRows: number): void;
  dropNewest(rows: number): void;
  /** Chunks that `deflateOne` could make smaller. */
  readonly looseChunks: number;
  /** Makes one chunk small: about a millisecond. */
  deflateOne(): void;
  /**
   * Text of `take` rows laid out at `cols`, the oldest first, above the newest `skip` ones. `more`: there are older ones.
   */
  text(range: { cols: number; skip: number; take: number }): { rows: string[]; more: boolean };
  /** Visits `take` rows above the newest `skip` ones, the oldest first. The line is good during the call. */
  lines(range: { skip: number; take: number }, visit: (line: EngineLine, wrapped: boolean) => void): void;
}

/** Terminal text shrinks to a tenth at any level. With the defaults (a window of 32 KB, 256 KB of work space, pieces of 16 KB)
 * the garbage of packing a full history left 1 MB a terminal in the process for good; measured with 30 of them. */
const DEFLATE = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 4096 } as const;

export function createArchive(splitAtWidth: SplitAtWidth): Archive {
  /** Oldest first. */
  let chunks: Chunk[] = [];
  let rowCount = 0;

  function packed(chunk: Chunk): Uint8Array {
    return chunk.isDeflated ? inflateRawSync(chunk.bytes) : chunk.bytes;
  }

  function layOut(chunk: Chunk, cols: number): string[] {
    const rows = unpackText(packed(chunk), chunk.rowCount);
    const lines =
      chunk.cols === cols ? rows.map((row) => trimSpaces(row.text)) : rewrap(rows, cols, splitAtWidth);
    chunk.laidOut = { cols, rowCount: lines.length };
    return lines;
  }

  function rowCountAt(chunk: Chunk, cols: number): number {
    if (chunk.cols === cols) return chunk.rowCount;
    return chunk.laidOut?.cols === cols ? chunk.laidOut.rowCount : layOut(chunk, cols).length;
  }

  return {
    get rowCount() {
      return rowCount;
    },
    get byteCount() {
      return chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
    },
    push(bytes, count, cols) {
      chunks.push({ rowCount: count, cols, bytes, isDeflated: false, laidOut: null });
      rowCount += count;
    },
    clear() {
      chunks = [];
      rowCount = 0;
    },
    limit(maxRows) {
      while (chunks.length > 0 && rowCount - chunks[0]!.rowCount >= maxRows)
        rowCount -= chunks.shift()!.rowCount;
    },
    dropNewest(rows) {
      let left = Math.min(rows, rowCount);
      rowCount -= left;
      while (left > 0) {
        const chunk = chunks.at(-1)!;
        const dropped = Math.min(left, chunk.rowCount);
        chunk.rowCount -= dropped;
        chunk.laidOut = null;
        left -= dropped;
        if (chunk.rowCount === 0) chunks.pop();
      }
    },
    get looseChunks() {
      return chunks.reduce((count, chunk) => count + (chunk.isDeflated ? 0 : 1), 0);
    },
    deflateOne() {
      const chunk = chunks.find(({ isDeflated }) => !isDeflated);
      if (!chunk) return;
      chunk.bytes = new Uint8Array(deflateRawSync(chunk.bytes, DEFLATE));
      chunk.isDeflated = true;
    },
    text({ cols, skip, take }) {
      const pieces: string[][] = [];
      let toSkip = skip;
      let toTake = take;
      let index = chunks.length - 1;
      for (; index >= 0 && toTake > 0; index--) {
        const chunk = chunks[index]!;
        const count = rowCountAt(chunk, cols);
        if (toSkip >= count) {
          toSkip -= count;
          continue;
        }
        const lines = layOut(chunk, cols);
        const end = count - toSkip;
        const start = Math.max(0, end - toTake);
        pieces.push(lines.slice(start, end));
        toTake -= end - start;
        toSkip = 0;
        if (start > 0) return { rows: pieces.reverse().flat(), more: true };
      }
      return { rows: pieces.reverse().flat(), more: index >= 0 };
    },
    lines({ skip, take }, visit) {
      const end = rowCount - Math.min(skip, rowCount);
      const start = Math.max(0, end - take);
      let first = 0;
      for (const chunk of chunks) {
        const from = start - first;
        const to = end - first;
        first += chunk.rowCount;
        if (from >= chunk.rowCount || to <= 0) continue;
        let row = 0;
        unpackLines(packed(chunk), chunk.rowCount, chunk.cols, (line, wrapped) => {
          if (row >= from && row < to) visit(line, wrapped);
          row++;
        });
      }
    },
  };
}

function rewrap(
  rows: { text: string; wrapped: boolean }[],
  cols: number,
  splitAtWidth: SplitAtWidth,
): string[] {
  const lines: string[] = [];
  for (const { text, wrapped } of rows) {
    if (wrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.flatMap((line) => splitAtWidth(line.trimEnd(), cols).map(trimSpaces));
}
