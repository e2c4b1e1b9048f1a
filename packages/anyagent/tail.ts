// Lines appended to a file. A tail remembers its offset, so a 200 MB transcript costs nothing per append; a torn last line
// waits for its end; a truncated or replaced file is read anew. Lines are bytes until whole: no cut ever splits a character.
//
// Reads are in place, a chunk at a time with a turn of the event loop between them. Through the thread pool each step of a
// read waits to be scheduled twice: on a busy two-core machine 13 small steps took 640 ms, in place less than one.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A file larger than this is opened at its end; what is older is reached with `linesBackward`. */
export const TAIL_WINDOW_BYTES = 512 * 1024;
/** One read; also how much memory a read in progress takes. */
const CHUNK_BYTES = 256 * 1024;
/** A longer line is skipped and counted: no agent of ours writes one, and a runaway file must not fill the memory. */
export const LINE_MAX_BYTES = 64 * 1024 * 1024;
/** Bytes before the offset that are compared at each read: a rewritten file of the same inode is noticed by them. */
const FINGERPRINT_BYTES = 64;

export interface TailRead {
  /** Whole lines since the last read, without their newline; empty ones are left out. */
  lines: string[];
  /** The file was truncated, replaced or removed: forget what was folded before these lines. */
  reset: boolean;
  /** There is no such file (yet, or any more). */
  missing: boolean;
  /** Where the first line begins when the read started at the end of a large file; null when it started at the top. */
  startOffset: number | null;
  /** Lines above LINE_MAX_BYTES so far. */
  skippedLines: number;
}

export interface Tail {
  /** What is new. One at a time. Rejects when the file cannot be read for another reason than being absent. */
  read(): Promise<TailRead>;
}

export function createTail(path: string, options: { windowBytes?: number } = {}): Tail {
  const windowBytes = options.windowBytes ?? TAIL_WINDOW_BYTES;
  let identity: string | null = null;
  let offset = 0;
  let startOffset: number | null = null;
  let torn: Buffer[] = [];
  let tornBytes = 0;
  let skipping = false;
  let skippedLines = 0;
  let fingerprint = Buffer.alloc(0);

  const forget = () => {
    identity = null;
    offset = 0;
    startOffset = null;
    torn = [];
    tornBytes = 0;
    skipping = false;
    fingerprint = Buffer.alloc(0);
  };

  const take = (chunk: Buffer, lines: string[]) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, end);
      from = end + 1;
      if (skipping) {
        skipping = false;
      } else {
        const line = torn.length === 0 ? piece : Buffer.concat([...torn, piece]);
        if (line.length > 0) lines.push(line.toString("utf8"));
      }
      torn = [];
      tornBytes = 0;
    }
    const rest = chunk.subarray(from);
    if (skipping || rest.length === 0) return;
    torn.push(Buffer.from(rest));
    tornBytes += rest.length;
    if (tornBytes <= LINE_MAX_BYTES) return;
    torn = [];
    tornBytes = 0;
    skipping = true;
    skippedLines += 1;
  };

  const readNew = async (file: number): Promise<TailRead> => {
    const facts = fstatSync(file);
    const now = `${facts.dev}:${facts.ino}`;
    const known = identity !== null;
    const same = now === identity && facts.size >= offset && stillMatches(file, offset, fingerprint);
    const reset = known && !same;
    if (!same) {
      forget();
      identity = now;
      if (facts.size > windowBytes) {
        offset = lineStartBefore(file, facts.size, windowBytes);
        startOffset = offset;
      }
    }
    const lines: string[] = [];
    while (offset < facts.size) {
      const chunk = readAt(file, offset, Math.min(CHUNK_BYTES, facts.size - offset));
      if (chunk.length === 0) break;
      offset += chunk.length;
      fingerprint = Buffer.concat([fingerprint, chunk]).subarray(-FINGERPRINT_BYTES);
      take(chunk, lines);
      if (offset < facts.size) await nextTurn();
    }
    return { lines, reset, missing: false, startOffset, skippedLines };
  };

  return {
    read: async () => {
      const file = openIfThere(path);
      if (file === null) {
        const reset = identity !== null;
        forget();
        return { lines: [], reset, missing: true, startOffset: null, skippedLines };
      }
      try {
        return await readNew(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Lines that end before `from`, newest first, as bytes: look before you decode. Stops at the file's start or after
 * `maxBytes`; a line that reaches beyond that is left out. `from` is the start of a line. */
export async function* linesBackward(path: string, from: number, maxBytes: number): AsyncGenerator<Buffer> {
  const file = openIfThere(path);
  if (file === null) return;
  try {
    const floor = Math.max(0, from - maxBytes);
    let at = from;
    let tail = Buffer.alloc(0);
    while (at > floor) {
      const size = Math.min(CHUNK_BYTES, at - floor);
      at -= size;
      tail = Buffer.concat([readAt(file, at, size), tail]);
      // The first newline belongs to the line before; everything after it is whole.
      const first = at === 0 ? -1 : tail.indexOf(10);
      if (at > 0 && first < 0) continue;
      yield* wholeLinesNewestFirst(tail.subarray(first + 1));
      tail = tail.subarray(0, first + 1);
      await nextTurn();
    }
  } finally {
    closeSync(file);
  }
}

function* wholeLinesNewestFirst(block: Buffer): Generator<Buffer> {
  let end = block.length;
  while (end > 0) {
    const stop = block[end - 1] === 10 ? end - 1 : end;
    const start = stop === 0 ? 0 : block.lastIndexOf(10, stop - 1) + 1;
    if (stop > start) yield block.subarray(start, stop);
    end = start;
  }
}

/** Start of a line at least `windowBytes` before the end. Long last lines widen the window until one line start is in it. */
function lineStartBefore(file: number, size: number, windowBytes: number): number {
  let at = size - windowBytes;
  let end = size;
  while (at > 0) {
    for (let from = at; from < end; ) {
      const chunk = readAt(file, from, Math.min(CHUNK_BYTES, end - from));
      if (chunk.length === 0) break;
      const newline = chunk.indexOf(10);
      // A newline that is the file's very last byte starts no line.
      if (newline >= 0 && from + newline + 1 < size) return from + newline + 1;
      from += chunk.length;
    }
    end = at;
    at -= windowBytes;
  }
  return 0;
}

function stillMatches(file: number, offset: number, fingerprint: Buffer): boolean {
  if (fingerprint.length === 0) return true;
  const before = readAt(file, offset - fingerprint.length, fingerprint.length);
  return before.equals(fingerprint);
}

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`cannot read ${path}`, { cause });
  }
}
