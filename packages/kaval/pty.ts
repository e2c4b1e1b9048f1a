// One pseudo-terminal and its root process: raw bytes out, raw bytes in, the exit after the last byte. The only file that
// knows node-pty, and of node-pty only its native half (pinned): the JavaScript half may report an exit up to 200 ms after
// which unread output is gone, spins on a program that does not read, and clears IUTF8 when asked for bytes.
import { closeSync, constants, openSync, readdirSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ReadStream } from "node:tty";
import { INPUT_QUEUE_MAX_BYTES } from "@kolu/contract/limits.ts";

export interface PtyOptions {
  /** Absolute path of the program, which is also its argv[0]. */
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  cols: number;
  rows: number;
}

export interface PtyExit {
  code: number;
  /** Number of the signal that ended it, 0 when none did. */
  signal: number;
}

export interface PtyEvents {
  /** `bytes` is a view that the next read overwrites. */
  onOutput(bytes: Uint8Array): void;
  /** Called once, after the last byte that the process wrote; the descriptor is closed by then. */
  onExit(exit: PtyExit): void;
  /** Input that had to wait has all been taken. */
  onInputTaken(): void;
}

export interface Pty {
  readonly pid: number;
  /** Input that the program has not taken yet. */
  readonly queuedBytes: number;
  /**
   * Queues bytes for the program, in order, all or nothing: false when the queue has no room for them. They may be kept:
   * the caller does not change them afterwards.
   */
  write(bytes: Uint8Array): boolean;
  /** Stops reading, so that the program blocks once the kernel's few kilobytes are full. An exit is noticed all the same. */
  pause(): void;
  resume(): void;
  resize(cols: number, rows: number): void;
  /** Lets go of the descriptor without waiting for the process: the kernel hangs up its terminal. No event follows. */
  close(): void;
}

/** The native half of node-pty 1.2.0-beta.15. */
interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, widthPx: number, heightPx: number): void;
}

let loaded: { native: NativePty; helperPath: string } | undefined;

function nodePty(): { native: NativePty; helperPath: string } {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const utils = require.resolve("node-pty/lib/utils.js");
  const { loadNativeModule } = require(utils) as {
    loadNativeModule(name: string): { dir: string; module: NativePty };
  };
  const { dir, module } = loadNativeModule("pty");
  // macOS alone starts programs through this helper; `dir` is relative to node-pty's lib.
  loaded = { native: module, helperPath: join(dirname(utils), dir, "spawn-helper") };
  return loaded;
}

/** Every read goes through this one buffer: a read's callback copies before the next read can happen. */
const READ_BYTES = 32 * 1024;
const readBuffer = Buffer.allocUnsafe(READ_BYTES);

/** What a tty can hold unread is 70 KiB; more than this after an exit comes from a process that lives on. */
const LAST_WORDS_MAX_BYTES = 1024 * 1024;

/** Starts the program. Throws what the kernel says when there is no pty or no process to be had. */
export function spawnPty(options: PtyOptions, events: PtyEvents): Pty {
  const { native, helperPath } = nodePty();
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  let closed = false;

  const onExit = (code: number, signal: number): void => {
    if (closed) return;
    drain(fd, events.onOutput);
    close();
    events.onExit({ code, signal });
  };
  const { file, args, cwd, cols, rows } = options;
  const { fd, pid, pty } = withoutDescriptorGaps(() =>
    native.fork(file, args, env, cwd, cols, rows, -1, -1, true, helperPath, onExit),
  );
  // While we hold the program's side open too, the kernel never reports a hang-up: a program that closes its standard
  // streams is not killed by it, and the end is what waitpid says, never a guess of the event loop (whose end-of-file
  // after a partial read lost the last output of 95 in 100 programs before libuv 1.52). Not tried on macOS.
  const heldSlave = process.platform === "linux" ? holdOpen(pty) : null;

  const stream = new ReadStream(fd, {
    onread: {
      buffer: readBuffer,
      callback(length, buffer) {
        events.onOutput(buffer.subarray(0, length));
        input.nudge();
        return true;
      },
    },
  });
  // EIO is how a tty says that its other side is gone; whatever else it may be, the exit that follows is what counts.
  stream.on("error", () => {});
  stream.resume();

  const input = createInputQueue(fd, events.onInputTaken);

  function close(): void {
    closed = true;
    input.close();
    stream.destroy();
    if (heldSlave !== null) closeSync(heldSlave);
  }

  return {
    pid,
    get queuedBytes() {
      return input.queuedBytes();
    },
    write: (bytes) => input.push(bytes),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    resize(cols, rows) {
      if (!closed) native.resize(fd, cols, rows, 0, 0);
    },
    close() {
      if (!closed) close();
    },
  };
}

/** A descriptor of the program's side; null when none can be had (a daemon out of descriptors), as on other systems. */
function holdOpen(path: string): number | null {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/**
 * Runs `fork` while no descriptor number below the highest open one is free. The native half marks descriptors
 * close-on-exec from 3 upwards and stops at the first unused number above 15, so that behind a gap the masters of other
 * terminals would be open in the new program: it could read them, and a killed daemon's terminals would not be hung up.
 * (Descriptors that Node opens are close-on-exec by themselves. macOS closes all by a flag of posix_spawn.)
 */
function withoutDescriptorGaps<T>(fork: () => T): T {
  if (process.platform !== "linux") return fork();
  const highest = Math.max(...readdirSync("/proc/self/fd").map(Number));
  const fillers: number[] = [];
  try {
    // The lowest free number is always the one given: once that is above the highest, there is no gap below.
    let filler: number;
    for (filler = openSync("/dev/null", "r"); filler < highest; filler = openSync("/dev/null", "r"))
      fillers.push(filler);
    closeSync(filler);
    return fork();
  } finally {
    for (const filler of fillers) closeSync(filler);
  }
}

/** Reads what the kernel still holds. It hands everything over before it answers EAGAIN or EIO. */
function drain(fd: number, onOutput: (bytes: Uint8Array) => void): void {
  for (let total = 0; total < LAST_WORDS_MAX_BYTES; ) {
    let length: number;
    try {
      length = readSync(fd, readBuffer);
    } catch {
      return;
    }
    if (length === 0) return;
    total += length;
    onOutput(readBuffer.subarray(0, length));
  }
}

/** Pauses between attempts while the program does not read: doubled each time, from the first to the last. */
const RETRY_FIRST_MS = 1;
const RETRY_LAST_MS = 100;
/** Written in one go before others get their turn. */
const WRITE_SLICE_BYTES = 64 * 1024;
/** Waiting keystrokes are packed into blocks of this size: alone, each would cost a hundred times its byte. */
const BLOCK_BYTES = 16 * 1024;

interface InputQueue {
  push(bytes: Uint8Array): boolean;
  queuedBytes(): number;
  /** The program said something, so it may have read too. */
  nudge(): void;
  close(): void;
}

/**
 * Bytes on their way to a program that may not read. The descriptor is non-blocking, so a write either takes some bytes
 * at once or says EAGAIN, and then the queue waits: neither the daemon nor a core is held.
 */
function createInputQueue(fd: number, onTaken: () => void): InputQueue {
  let chunks: Uint8Array[] = [];
  /** Room left in the block that the last chunk lies in; null when that chunk is somebody else's memory. */
  let roomAfterLast: Uint8Array | null = null;
  let queued = 0;
  let retryMs = RETRY_FIRST_MS;
  let timer: NodeJS.Timeout | null = null;
  let next: NodeJS.Immediate | null = null;
  let waited = false;
  let closed = false;

  function pump(): void {
    timer = null;
    next = null;
    let written = 0;
    while (chunks.length > 0 && written < WRITE_SLICE_BYTES) {
      const chunk = chunks[0]!;
      const taken = tryWrite(fd, chunk.subarray(0, WRITE_SLICE_BYTES));
      if (taken === "gone") {
        drop();
        return;
      }
      if (taken === 0) {
        waited = true;
        timer = setTimeout(pump, retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_LAST_MS);
        return;
      }
      retryMs = RETRY_FIRST_MS;
      written += taken;
      queued -= taken;
      if (taken === chunk.length) chunks.shift();
      else chunks[0] = chunk.subarray(taken);
    }
    if (chunks.length > 0) next = setImmediate(pump);
    else if (waited) {
      waited = false;
      onTaken();
    }
  }

  function enqueue(bytes: Uint8Array): void {
    if (chunks.length > 0 && roomAfterLast && bytes.length <= roomAfterLast.length) {
      roomAfterLast.set(bytes);
      const last = chunks[chunks.length - 1]!;
      chunks[chunks.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + bytes.length);
      roomAfterLast = roomAfterLast.subarray(bytes.length);
    } else if (chunks.length > 0 && bytes.length < BLOCK_BYTES) {
      const block = new Uint8Array(BLOCK_BYTES);
      block.set(bytes);
      chunks.push(block.subarray(0, bytes.length));
      roomAfterLast = block.subarray(bytes.length);
    } else {
      chunks.push(bytes);
      roomAfterLast = null;
    }
    queued += bytes.length;
  }

  function drop(): void {
    chunks = [];
    roomAfterLast = null;
    queued = 0;
  }

  return {
    push(bytes) {
      if (closed || queued + bytes.length > INPUT_QUEUE_MAX_BYTES) return false;
      if (bytes.length === 0) return true;
      enqueue(bytes);
      if (!timer && !next) pump();
      return true;
    },
    queuedBytes: () => queued,
    nudge() {
      if (!timer) return;
      clearTimeout(timer);
      retryMs = RETRY_FIRST_MS;
      timer = null;
      next = setImmediate(pump);
    },
    close() {
      closed = true;
      if (timer) clearTimeout(timer);
      if (next) clearImmediate(next);
      drop();
    },
  };
}

/** How many bytes the terminal took; 0 when it has no room now. */
function tryWrite(fd: number, bytes: Uint8Array): number | "gone" {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    // EIO: nobody has the other side open any more, so nobody will ever read this.
    return "gone";
  }
}
