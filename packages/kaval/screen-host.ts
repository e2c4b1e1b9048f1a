// The screens of one worker, apart from the thread: work comes in, slices are done one at a time, words go out. Decides
// when facts are told, when a question is answered and when old rows are compressed.
import { SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import { createScreen, type Screen } from "@kolu/screen/screen.ts";
import { Places } from "./places.ts";
import type {
  Answers,
  FromWorker,
  OpenMessage,
  Question,
  ToWorker,
  Work,
  WorkerStart,
} from "./screen-messages.ts";
import type { ScreenFacts } from "./screens.ts";
import { attachTaps, NO_FACTS, type Taps } from "./taps/facts.ts";
import { createTurns } from "./turns.ts";

/** Facts that change go out at once, and then at most this often. */
const FACTS_GAP_MS = 50;
/**
 * A question asked inside a synchronized frame waits for its end this long: a frame takes a few milliseconds, and half a
 * one is what the program did not want seen. After that the program is taken for stuck and the screen for what it is.
 */
const FRAME_WAIT_MS = 100;
const FRAME_END = Buffer.from("\x1b[?2026l");
/** How often screens are looked at for old rows to compress. */
const SWEEP_MS = 250;
/** A screen that got more since the last look is flooding: its rows will be gone before long, so it is left alone. */
const FLOOD_BYTES_A_SWEEP = 64 * 1024;
/** From the last close to the collection of what closed: closes come in rows. */
const COLLECT_DELAY_MS = 1_000;
/** Faults of one screen told a second; a program can make the emulator fail with every byte. */
const FAULT_GAP_MS = 1_000;

interface Waiting {
  ticket: number;
  question: Question;
}

interface Hosted {
  number: number;
  screen: Screen;
  taps: Taps;
  parsedBytes: number;
  places: Places;
  /** Parsed and not yet told. */
  untoldBytes: number;
  bytesSinceSweep: number;
  toldFacts: ScreenFacts;
  toldAtMs: number;
  factsTimer: NodeJS.Timeout | null;
  /** Questions that wait for the end of a frame. */
  waiting: Waiting[];
  frameTimer: NodeJS.Timeout | null;
  /** A frame was waited for in vain and has not ended since. */
  frameStuck: boolean;
  faultToldAtMs: number;
}

export interface ScreenHost {
  receive(message: ToWorker): void;
  dispose(): void;
}

/** `collect` gives the memory of closed screens back. */
export function createScreenHost(
  start: WorkerStart,
  tell: (message: FromWorker, transfer?: ArrayBuffer[]) => void,
  collect: () => void,
): ScreenHost {
  const screens = new Map<number, Hosted>();
  const turns = createTurns();
  let turnScheduled = false;
  let sweepTimer: NodeJS.Timeout | null = null;
  let collectTimer: NodeJS.Timeout | null = null;

  function open(message: OpenMessage): void {
    const number = message.screen;
    let hosted: Hosted | undefined;
    // What is shown again was answered, rung and reported when it was new.
    let live = false;
    const reply = (text: string): void => {
      if (live) tell({ kind: "reply", screen: number, text });
    };
    const screen = createScreen({
      cols: message.cols,
      rows: message.rows,
      colors: message.colors,
      version: start.version,
      onReply: reply,
      onFault: (error) => hosted && tellFault(hosted, error),
      onTitle: (title) => live && hosted?.taps.title(title),
      onBell: () => live && hosted?.taps.bell(),
      onReset: () => live && hosted?.taps.reset(),
    });
    const resumedFacts = message.resume?.as === "as-is" ? message.resume.checkpoint.facts : null;
    const facts = message.replay?.facts ?? resumedFacts ?? NO_FACTS;
    if (message.resume?.as === "restored")
      screen.resume(message.resume.checkpoint, `── restored ${formatMinute(new Date())} ──`);
    else if (message.resume) {
      screen.resize(message.resume.checkpoint.cols, message.resume.checkpoint.rows);
      screen.write(message.resume.checkpoint.vt);
      screen.resize(message.cols, message.rows);
    }
    if (message.replay) screen.write(message.replay.bytes);
    const taps = attachTaps(screen.onOsc, {
      markNonce: message.markNonce,
      hostname: start.hostname,
      initial: facts,
      now: Date.now,
      reply,
      notice: (what) => tell({ kind: "notice", screen: number, what }),
    });
    hosted = {
      number,
      screen,
      taps,
      parsedBytes: 0,
      places: new Places(),
      untoldBytes: 0,
      bytesSinceSweep: 0,
      toldFacts: NO_FACTS,
      toldAtMs: 0,
      factsTimer: null,
      waiting: [],
      frameTimer: null,
      frameStuck: false,
      faultToldAtMs: 0,
    };
    screens.set(number, hosted);
    notePlace(hosted);
    live = true;
    tellFacts(hosted);
    scheduleSweep(hosted);
  }

  function notePlace({ screen, places, parsedBytes }: Hosted): void {
    places.note(parsedBytes, screen.place());
  }

  function tellFault(hosted: Hosted, error: unknown): void {
    const nowMs = Date.now();
    if (nowMs - hosted.faultToldAtMs < FAULT_GAP_MS) return;
    hosted.faultToldAtMs = nowMs;
    const fault = new Error(
      "The emulator failed on a terminal's output; part of it is missing on the screen.",
      {
        cause: error,
      },
    );
    tell({ kind: "fault", screen: hosted.number, error: fault });
  }

  function close(number: number): void {
    turns.drop(number);
    const hosted = screens.get(number);
    if (!hosted) return;
    screens.delete(number);
    if (hosted.factsTimer) clearTimeout(hosted.factsTimer);
    if (hosted.frameTimer) clearTimeout(hosted.frameTimer);
    hosted.screen.dispose();
    if (collectTimer) clearTimeout(collectTimer);
    collectTimer = setTimeout(collectWhenIdle, COLLECT_DELAY_MS);
  }

  function collectWhenIdle(): void {
    collectTimer = turns.isEmpty ? null : setTimeout(collectWhenIdle, COLLECT_DELAY_MS);
    if (turns.isEmpty) collect();
  }

  function scheduleTurn(): void {
    if (turnScheduled) return;
    turnScheduled = true;
    // One slice a round of the event loop: what arrived meanwhile has its chance at the next.
    setImmediate(() => {
      turnScheduled = false;
      turn();
      if (!turns.isEmpty) scheduleTurn();
    });
  }

  function turn(): void {
    const slice = turns.next();
    const hosted = slice && screens.get(slice[0]!.screen);
    if (!hosted) return;
    for (const work of slice) doWork(hosted, work);
    tellParsed(hosted);
    tellFacts(hosted);
    scheduleSweep(hosted);
  }

  function doWork(hosted: Hosted, work: Work): void {
    switch (work.kind) {
      case "write":
        hosted.bytesSinceSweep += work.bytes.length;
        parse(hosted, work.bytes);
        return;
      case "resize":
        hosted.screen.resize(work.cols, work.rows);
        notePlace(hosted);
        return;
      case "place":
        notePlace(hosted);
        return;
      case "colors":
        hosted.screen.setColors(work.colors);
        return;
      case "ask":
        ask(hosted, work);
        return;
      default:
        work satisfies never;
    }
  }

  /** While somebody waits for a frame's end, the bytes are cut there: the next frame may begin in the same slice. */
  function parse(hosted: Hosted, bytes: Uint8Array): void {
    let rest = bytes;
    while (hosted.waiting.length > 0 && rest.length > 0) {
      const end = Buffer.from(rest.buffer, rest.byteOffset, rest.length).indexOf(FRAME_END);
      const piece = end === -1 ? rest : rest.subarray(0, end + FRAME_END.length);
      write(hosted, piece);
      rest = rest.subarray(piece.length);
      if (!hosted.screen.inFrame) answerWaiting(hosted);
    }
    if (rest.length > 0) write(hosted, rest);
    if (!hosted.screen.inFrame) hosted.frameStuck = false;
  }

  function write(hosted: Hosted, bytes: Uint8Array): void {
    hosted.screen.write(bytes);
    hosted.parsedBytes += bytes.length;
    hosted.untoldBytes += bytes.length;
  }

  function tellParsed(hosted: Hosted): void {
    if (hosted.untoldBytes > 0) tell({ kind: "parsed", screen: hosted.number, bytes: hosted.untoldBytes });
    hosted.untoldBytes = 0;
  }

  function ask(hosted: Hosted, { ticket, question }: Waiting): void {
    if (!hosted.screen.inFrame || hosted.frameStuck || question.kind === "history") {
      answer(hosted, { ticket, question });
      return;
    }
    hosted.waiting.push({ ticket, question });
    hosted.frameTimer ??= setTimeout(() => {
      hosted.frameStuck = true;
      answerWaiting(hosted);
    }, FRAME_WAIT_MS);
  }

  function answerWaiting(hosted: Hosted): void {
    if (hosted.frameTimer) clearTimeout(hosted.frameTimer);
    hosted.frameTimer = null;
    for (const waiting of hosted.waiting.splice(0)) answer(hosted, waiting);
  }

  function answer(hosted: Hosted, { ticket, question }: Waiting): void {
    const screen = hosted.number;
    // An answer never comes before the word that the bytes in it are parsed.
    tellParsed(hosted);
    try {
      const given = answerTo(hosted, question);
      tell(
        { kind: "answer", screen, ticket, answer: given },
        "vt" in given ? [given.vt.buffer as ArrayBuffer] : [],
      );
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      tell({ kind: "failed", screen, ticket, error: cause });
    }
  }

  function answerTo(hosted: Hosted, question: Question): Answers[keyof Answers] {
    const { screen, parsedBytes } = hosted;
    const { cols, rows } = screen;
    switch (question.kind) {
      case "snapshot":
        // Copied, because a small buffer is part of a pool that cannot be handed over.
        return { vt: new Uint8Array(screen.snapshot(question.scrollbackLines)), cols, rows, parsedBytes };
      case "text":
        // Its cursor is given out.
        notePlace(hosted);
        return { text: screen.text(question.extent), cols, rows, parsedBytes };
      case "since":
        return { rows: rowsSince(hosted, question.parsedBytes), cols };
      case "history":
        return screen.history(question.page);
      case "checkpoint": {
        const vt = new Uint8Array(screen.snapshot(SCROLLBACK_LINES));
        return { cols, rows, savedAtMs: Date.now(), facts: hosted.taps.facts(), vt };
      }
      default:
        return question satisfies never;
    }
  }

  function rowsSince({ screen, places }: Hosted, parsedBytes: number): string[] {
    const place = places.since(parsedBytes, screen.place().epoch);
    return (place && screen.since(place)) ?? [];
  }

  function tellFacts(hosted: Hosted): void {
    const facts = hosted.taps.facts();
    if (facts === hosted.toldFacts || hosted.factsTimer) return;
    const waitMs = hosted.toldAtMs + FACTS_GAP_MS - Date.now();
    if (waitMs > 0) {
      hosted.factsTimer = setTimeout(() => {
        hosted.factsTimer = null;
        tellFacts(hosted);
      }, waitMs);
      return;
    }
    hosted.toldFacts = facts;
    hosted.toldAtMs = Date.now();
    tell({ kind: "facts", screen: hosted.number, facts });
  }

  function scheduleSweep(hosted: Hosted): void {
    if (hosted.screen.unsettledChunks === 0) return;
    sweepTimer ??= setTimeout(sweep, SWEEP_MS);
  }

  function sweep(): void {
    sweepTimer = null;
    const calm: Hosted[] = [];
    for (const hosted of screens.values()) {
      const flooding = hosted.bytesSinceSweep > FLOOD_BYTES_A_SWEEP;
      hosted.bytesSinceSweep = 0;
      if (hosted.screen.unsettledChunks === 0) continue;
      if (flooding) sweepTimer ??= setTimeout(sweep, SWEEP_MS);
      else calm.push(hosted);
    }
    settle(calm);
  }

  /** One chunk at a time, between the turns. */
  function settle(calm: Hosted[]): void {
    const hosted = calm[0];
    if (!hosted) return;
    const isOpen = screens.get(hosted.number) === hosted;
    if (isOpen) hosted.screen.settleOne();
    if (!isOpen || hosted.screen.unsettledChunks === 0) calm.shift();
    if (calm.length === 0) return;
    if (turns.isEmpty) setImmediate(settle, calm);
    else setTimeout(settle, SWEEP_MS / 10, calm);
  }

  return {
    receive(message) {
      switch (message.kind) {
        case "open":
          open(message);
          return;
        case "close":
          close(message.screen);
          return;
        default:
          turns.add(message);
          scheduleTurn();
      }
    },
    dispose() {
      for (const number of [...screens.keys()]) close(number);
      if (sweepTimer) clearTimeout(sweepTimer);
      if (collectTimer) clearTimeout(collectTimer);
    },
  };
}

/** Local time to the minute, as a person reads it. */
function formatMinute(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
