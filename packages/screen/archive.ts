// Old scrollback of one screen: rows that left the emulator, as compressed chunks of VT. Kept as VT rather than cells
// (a tenth of the size before compression, and what a snapshot or a checkpoint needs) or as text (colours and links
// would be gone). Rows keep the width they were captured at and are laid out anew for a reader of another width.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { textOfVt, trimSpaces } from "./row.ts";

export interface ArchivedRow {
  vt: string;
  /** Continues the row before it: the two are one line that the width cut. */
  wrapped: boolean;
}

interface Chunk {
  /** Rows at the width of their capture. */
  rowCount: number;
  cols: number;
  /** Rows at the width last asked for. */
  laidOut: { cols: number; rowCount: number } | null;
  bytes: Buffer;
}

// Cells hold no control characters, so these cannot occur in a row.
const ROW_END = "\n";
const WRAPPED_MARK = "\x01";

/** Splits text into rows of at most `cols` columns. */
export type SplitAtWidth = (text: string, cols: number) => string[];

export interface Archive {
  readonly rowCount: number;
  readonly byteCount: number;
  push(rows: ArchivedRow[], cols: number): void;
  clear(): void;
  /** Drops whole chunks, oldest first, while the rest alone holds `maxRows`. */
  limit(maxRows: number): void;
  /**
   * Text of `take` rows laid out at `cols`, the oldest first, above the newest `skip` ones. `more`: there are older ones.
   */
  text(range: { cols: number; skip: number; take: number }): { rows: string[]; more: boolean };
  /** The newest rows, at most `maxRows`, the oldest first. */
  newest(maxRows: number): ArchivedRow[];
}

export function createArchive(splitAtWidth: SplitAtWidth): Archive {
  /** Oldest first. */
  let chunks: Chunk[] = [];
  let rowCount = 0;

  function layOut(chunk: Chunk, cols: number): string[] {
    const rows = decode(chunk);
    const lines =
      chunk.cols === cols ? rows.map((row) => textOfVt(row.vt)) : rewrap(rows, cols, splitAtWidth);
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
    push(rows, cols) {
      const text = rows.map((row) => (row.wrapped ? WRAPPED_MARK + row.vt : row.vt)).join(ROW_END);
      // Level 1: a chunk costs well under a millisecond, and terminal text shrinks to a tenth at any level.
      const bytes = deflateRawSync(text, { level: 1 });
      chunks.push({ rowCount: rows.length, cols, laidOut: null, bytes });
      rowCount += rows.length;
    },
    clear() {
      chunks = [];
      rowCount = 0;
    },
    limit(maxRows) {
      while (chunks.length > 0 && rowCount - chunks[0]!.rowCount >= maxRows)
        rowCount -= chunks.shift()!.rowCount;
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
    newest(maxRows) {
      const pieces: ArchivedRow[][] = [];
      let wanted = maxRows;
      for (let index = chunks.length - 1; index >= 0 && wanted > 0; index--) {
        const rows = decode(chunks[index]!);
        pieces.push(rows.slice(Math.max(0, rows.length - wanted)));
        wanted -= rows.length;
      }
      return pieces.reverse().flat();
    },
  };
}

function decode(chunk: Chunk): ArchivedRow[] {
  return inflateRawSync(chunk.bytes)
    .toString("utf8")
    .split(ROW_END)
    .map((row) =>
      row.startsWith(WRAPPED_MARK) ? { vt: row.slice(1), wrapped: true } : { vt: row, wrapped: false },
    );
}

function rewrap(rows: ArchivedRow[], cols: number, splitAtWidth: SplitAtWidth): string[] {
  const lines: string[] = [];
  for (const row of rows) {
    const text = textOfVt(row.vt);
    if (row.wrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.flatMap((line) => splitAtWidth(line, cols).map(trimSpaces));
}
