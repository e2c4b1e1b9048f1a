// The main thread's handle on the worker threads that own the screens: bytes in, facts and text out. Parsing never runs
// on the thread that reads PTYs and feeds viewers.
import { hostname } from "node:os";
import { Worker } from "node:worker_threads";
import type { Extent, KavalNotice, TerminalColors } from "@kolu/contract/kaval.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { terminalNotFound } from "@kolu/contract/refusals.ts";
import type { CommandFacts } from "@kolu/contract/terminal.ts";
import type { Answers, FromWorker, Question, ToWorker, WorkerStart } from "./screen-messages.ts";
import { SLICE_BYTES } from "./turns.ts";

/** What the taps have learnt of one terminal from its output. */
export interface ScreenFacts {
  title: string | null;
  /** From OSC 7, only when the host is this one. */
  cwd: string | null;
  command: CommandFacts | null;
  /** Between a prompt's end and the next command, by the shell's own marks; null when it never marked. */
  promptShown: boolean | null;
  program: ProgramRecord[];
  progress: { state: "normal" | "error" | "indeterminate" | "paused"; value: number | null } | null;
}

export interface ScreenEvents {
  /** Answers to device queries: to be written to the PTY. Never forwarded to a viewer, never asked of one. */
  onReply(id: string, bytes: Uint8Array): void;
  onFacts(id: string, facts: ScreenFacts): void;
  onNotice(id: string, what: KavalNotice["what"]): void;
  /** `bytes` more of this terminal are parsed: the backlog fell. */
  onParsed(id: string, bytes: number): void;
  /**
   * Something failed: for the log. A worker that died takes the screens of `lostIds` with it; they are closed and their
   * owner opens them again, with `replay`.
   */
  onFault(error: Error, lostIds: string[]): void;
}

export interface OpenScreen {
  id: string;
  cols: number;
  rows: number;
  colors: TerminalColors;
  /** Shell marks count only when they carry it; null accepts no mark (a command-rooted terminal has no shell of ours). */
  markNonce: string | null;
  /** A checkpoint to show above a divider line. */
  resume?: Checkpoint;
  /**
   * restored (the default): the old content is history, its modes end, a divider line follows. as-is: the screen is
   * exactly what it was, facts included; for reading a saved terminal that nothing runs in.
   */
  resumeAs?: "restored" | "as-is";
  /** Output that was seen before, to build a lost screen from: parsed without answers, notices or changes of facts. */
  replay?: { bytes: Uint8Array; facts: ScreenFacts };
}

/** A screen as it goes to disk and comes back. */
export interface Checkpoint {
  cols: number;
  rows: number;
  savedAtMs: number;
  facts: ScreenFacts;
  /** Serialized scrollback and screen. */
  vt: Uint8Array;
}

/** Members that take an id refuse with `terminal-not-found` when no screen is open under it. */
export interface Screens {
  open(options: OpenScreen): void;
  /** Hands bytes over for parsing, in order. The caller may reuse the buffer afterwards. */
  write(id: string, bytes: Uint8Array): void;
  /** Takes effect after the bytes written before it. */
  resize(id: string, cols: number, rows: number): void;
  setColors(id: string, colors: TerminalColors): void;
  /** Forgets the screen and gives its memory back. */
  close(id: string): void;
  /**
   * Each of these first waits until everything written before the call is parsed. `parsedBytes` is how many bytes had
   * been written when the answer was taken.
   */
  snapshot(
    id: string,
    scrollbackLines: number,
  ): Promise<{ vt: Uint8Array; cols: number; rows: number; parsedBytes: number }>;
  text(
    id: string,
    extent: Extent,
  ): Promise<{ text: string; cols: number; rows: number; parsedBytes: number }>;
  /** Notes this place in the output, for `since`. */
  place(id: string): void;
  /** Rows of what was printed after so many bytes, or after the first noted place behind them. */
  since(id: string, parsedBytes: number): Promise<{ rows: string[]; cols: number }>;
  history(
    id: string,
    page: { maxLines: number; before?: number; epoch?: number },
  ): Promise<
    | { kind: "page"; lines: string[]; topLine: number; epoch: number; exhausted: boolean }
    | { kind: "stale"; epoch: number }
  >;
  checkpoint(id: string): Promise<Checkpoint>;
  /** Ends the workers. */
  dispose(): Promise<void>;
}

/** Bytes handed to a worker and not yet parsed, for each screen: enough to keep it busy, little enough to stay fair. */
const IN_FLIGHT_BYTES = 2 * SLICE_BYTES;
/** How long a worker without screens is kept: a thread costs about 20 MB. */
const IDLE_WORKER_MS = 5_000;
const DEFAULT_WORKERS = 2;
/** Screens of every worker before another one starts: slices are fair, so a few terminals need no second thread. */
const SCREENS_BEFORE_NEXT_WORKER = 4;
/** A worker that lived shorter died of what it was given or of its start: the next one waits, longer each time. */
const SHORT_LIFE_MS = 10_000;
const RESTART_DELAY_MS = 100;
const RESTART_DELAY_MAX_MS = 5_000;

export interface ScreensOptions {
  /** Threads at most; they start when screens need them. */
  workers?: number;
  /** What XTVERSION answers beside the name. */
  version?: string;
  /** The thread's code, where it is not beside this file. */
  workerUrl?: URL;
}

/** The default, three times as much, is never given back once a flood has filled it, and parses no faster. */
const YOUNG_GENERATION_MB = 16;

interface Ticket {
  resolve(answer: never): void;
  reject(error: Error): void;
}

interface Slot {
  /** Null until its start is due. */
  worker: Worker | null;
  startTimer: NodeJS.Timeout | null;
  /** What is said before it runs. */
  outbox: [ToWorker, ArrayBuffer[]][];
  screens: Map<number, Held>;
  idleTimer: NodeJS.Timeout | null;
}

/** A screen as the main thread knows it. */
interface Held {
  id: string;
  number: number;
  slot: Slot;
  /** Not yet handed over. */
  unsent: Uint8Array[];
  unsentBytes: number;
  inFlightBytes: number;
  tickets: Map<number, Ticket>;
}

/** Screens in worker threads. Nothing starts before the first screen is opened. */
export function createScreens(events: ScreenEvents, options: ScreensOptions = {}): Screens {
  const workerCount = options.workers ?? DEFAULT_WORKERS;
  const start: WorkerStart = { hostname: hostname(), version: options.version ?? "dev" };
  // Beside this file, in the checkout as in the bundle, under the same extension.
  const workerUrl =
    options.workerUrl ??
    new URL(import.meta.url.endsWith(".ts") ? "./screen-worker.ts" : "./screen-worker.mjs", import.meta.url);
  const byId = new Map<string, Held>();
  const slots = new Set<Slot>();
  let nextNumber = 1;
  let nextTicket = 1;
  /** Workers that died young, one after another. */
  let shortLives = 0;

  function startSlot(): Slot {
    const slot: Slot = { worker: null, startTimer: null, outbox: [], screens: new Map(), idleTimer: null };
    slots.add(slot);
    if (shortLives === 0) startWorker(slot);
    else {
      const delayMs = Math.min(RESTART_DELAY_MAX_MS, RESTART_DELAY_MS * 2 ** (shortLives - 1));
      slot.startTimer = setTimeout(startWorker, delayMs, slot);
    }
    return slot;
  }

  function startWorker(slot: Slot): void {
    // Flags of this process (an inspector's port, --input-type) are not for its threads.
    const worker = new Worker(workerUrl, {
      workerData: start,
      name: "screens",
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const startedAtMs = Date.now();
    let fault: Error | null = null;
    worker.on("message", (message: FromWorker) => receive(slot, message));
    worker.on("error", (error) => {
      fault = error;
    });
    worker.on("exit", (code) => {
      shortLives = Date.now() - startedAtMs < SHORT_LIFE_MS ? shortLives + 1 : 0;
      lose(slot, fault ?? new Error(`A screen worker ended with code ${code}.`));
    });
    slot.worker = worker;
    slot.startTimer = null;
    for (const [message, transfer] of slot.outbox.splice(0)) worker.postMessage(message, transfer);
  }

  /** The slot with the fewest screens, or a new one while there may be more and every one has its share. */
  function chooseSlot(): Slot {
    const least = [...slots].sort((a, b) => a.screens.size - b.screens.size)[0];
    if (!least || (least.screens.size >= SCREENS_BEFORE_NEXT_WORKER && slots.size < workerCount))
      return startSlot();
    return least;
  }

  function post(held: Held, message: ToWorker, transfer: ArrayBuffer[] = []): void {
    if (held.slot.worker) held.slot.worker.postMessage(message, transfer);
    else held.slot.outbox.push([message, transfer]);
  }

  function send(held: Held, bytes: Uint8Array): void {
    held.inFlightBytes += bytes.length;
    post(held, { kind: "write", screen: held.number, bytes }, [bytes.buffer as ArrayBuffer]);
  }

  /** Hands over what waits, up to the window, or all of it. */
  function flush(held: Held, all: boolean): void {
    while (held.unsent.length > 0 && (all || held.inFlightBytes < IN_FLIGHT_BYTES)) {
      const batch = takeBatch(held.unsent);
      held.unsentBytes -= batch.length;
      send(held, batch);
    }
  }

  function receive(slot: Slot, message: FromWorker): void {
    const held = slot.screens.get(message.screen);
    if (!held) return;
    switch (message.kind) {
      case "parsed":
        held.inFlightBytes -= message.bytes;
        flush(held, false);
        events.onParsed(held.id, message.bytes);
        return;
      case "reply":
        events.onReply(held.id, Buffer.from(message.text));
        return;
      case "facts":
        events.onFacts(held.id, message.facts);
        return;
      case "notice":
        events.onNotice(held.id, message.what);
        return;
      case "answer":
        takeTicket(held, message.ticket)?.resolve(message.answer as never);
        return;
      case "failed":
        takeTicket(held, message.ticket)?.reject(message.error);
        return;
      case "fault":
        events.onFault(
          new Error(`${message.error.message} Terminal ${held.id}.`, { cause: message.error.cause }),
          [],
        );
        return;
      default:
        message satisfies never;
    }
  }

  function takeTicket(held: Held, ticket: number): Ticket | undefined {
    const taken = held.tickets.get(ticket);
    held.tickets.delete(ticket);
    return taken;
  }

  function forget(held: Held, error: Error): void {
    byId.delete(held.id);
    held.slot.screens.delete(held.number);
    for (const ticket of held.tickets.values()) ticket.reject(error);
  }

  /** The thread is gone. Its screens are closed, and their owner is told which they were. */
  function lose(slot: Slot, error: Error): void {
    slots.delete(slot);
    if (slot.idleTimer) clearTimeout(slot.idleTimer);
    if (slot.screens.size === 0) return;
    const lost = [...slot.screens.values()];
    for (const held of lost) {
      forget(held, new Error("The thread that owned this screen died.", { cause: error }));
      const unparsed = held.inFlightBytes + held.unsentBytes;
      if (unparsed > 0) events.onParsed(held.id, unparsed);
    }
    const ids = lost.map((held) => held.id);
    events.onFault(new Error(`A screen worker died with ${ids.length} screens.`, { cause: error }), ids);
  }

  async function end(slot: Slot): Promise<void> {
    slots.delete(slot);
    if (slot.startTimer) clearTimeout(slot.startTimer);
    if (slot.idleTimer) clearTimeout(slot.idleTimer);
    slot.worker?.removeAllListeners("exit");
    await slot.worker?.terminate();
  }

  function retireWhenIdle(slot: Slot): void {
    if (slot.screens.size > 0) return;
    slot.idleTimer = setTimeout(() => {
      if (slot.screens.size > 0) return;
      void end(slot);
    }, IDLE_WORKER_MS);
    slot.idleTimer.unref();
  }

  function find(id: string): Held {
    const held = byId.get(id);
    if (!held) throw terminalNotFound(id);
    return held;
  }

  async function ask<K extends keyof Answers>(
    id: string,
    question: Question & { kind: K },
  ): Promise<Answers[K]> {
    const held = find(id);
    flush(held, true);
    const ticket = nextTicket++;
    return new Promise<Answers[K]>((resolve, reject) => {
      held.tickets.set(ticket, { resolve, reject });
      post(held, { kind: "ask", screen: held.number, ticket, question });
    });
  }

  return {
    open({ id, cols, rows, colors, markNonce, resume, resumeAs, replay }) {
      if (byId.has(id)) throw new Error(`The screen of ${id} is open already.`);
      const slot = chooseSlot();
      if (slot.idleTimer) clearTimeout(slot.idleTimer);
      const number = nextNumber++;
      const held: Held = {
        id,
        number,
        slot,
        unsent: [],
        unsentBytes: 0,
        inFlightBytes: 0,
        tickets: new Map(),
      };
      byId.set(id, held);
      slot.screens.set(number, held);
      post(held, {
        kind: "open",
        screen: number,
        cols,
        rows,
        colors,
        markNonce,
        resume: resume ? { checkpoint: resume, as: resumeAs ?? "restored" } : null,
        replay: replay ?? null,
      });
    },
    write(id, bytes) {
      if (bytes.length === 0) return;
      const held = find(id);
      const own = new Uint8Array(bytes);
      if (held.unsent.length === 0 && held.inFlightBytes < IN_FLIGHT_BYTES) {
        send(held, own);
        return;
      }
      held.unsent.push(own);
      held.unsentBytes += own.length;
    },
    resize(id, cols, rows) {
      const held = find(id);
      flush(held, true);
      post(held, { kind: "resize", screen: held.number, cols, rows });
    },
    setColors(id, colors) {
      const held = find(id);
      flush(held, true);
      post(held, { kind: "colors", screen: held.number, colors });
    },
    close(id) {
      const held = find(id);
      post(held, { kind: "close", screen: held.number });
      forget(held, terminalNotFound(id));
      retireWhenIdle(held.slot);
    },
    snapshot: (id, scrollbackLines) => ask(id, { kind: "snapshot", scrollbackLines }),
    text: (id, extent) => ask(id, { kind: "text", extent }),
    place(id) {
      const held = find(id);
      flush(held, true);
      post(held, { kind: "place", screen: held.number });
    },
    since: (id, parsedBytes) => ask(id, { kind: "since", parsedBytes }),
    history: (id, page) => ask(id, { kind: "history", page }),
    checkpoint: (id) => ask(id, { kind: "checkpoint" }),
    async dispose() {
      for (const held of [...byId.values()]) forget(held, new Error("The screens are being closed."));
      await Promise.all([...slots].map(end));
    },
  };
}

/** As many of the waiting pieces as fit a window, in one. */
function takeBatch(pieces: Uint8Array[]): Uint8Array {
  let count = 0;
  let byteCount = 0;
  while (count < pieces.length && (count === 0 || byteCount + pieces[count]!.length <= IN_FLIGHT_BYTES))
    byteCount += pieces[count++]!.length;
  if (count === 1) return pieces.shift()!;
  const batch = new Uint8Array(byteCount);
  let offset = 0;
  for (const piece of pieces.splice(0, count)) {
    batch.set(piece, offset);
    offset += piece.length;
  }
  return batch;
}
