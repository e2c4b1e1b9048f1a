// One VT screen: bytes in, text, history and snapshots out. Read this first; the other files are its parts. Everything
// is synchronous and owned by one thread.

import type { Extent, TerminalColors } from "@kolu/contract/kaval.ts";
import { repair } from "@kolu/emulator/repairs.ts";
import { trackColors } from "./colors.ts";
import { createEngine, type Engine } from "./engine.ts";
import { trackLinks } from "./links.ts";
import { answerQueries } from "./queries.ts";
import { createScrollback, type HistoryPage } from "./scrollback.ts";
import { type Place, placeNow, rowsSince } from "./since.ts";
import { LEAVE_EVERYTHING, snapshotVt } from "./snapshot.ts";
import { screenText } from "./text.ts";
import { unfinishedAfter } from "./unfinished.ts";

export interface ScreenOptions {
  cols: number;
  rows: number;
  colors: TerminalColors;
  /** What XTVERSION says beside the name. */
  version: string;
  /** Answers to device queries, for the program. */
  onReply(text: string): void;
  onTitle?(title: string): void;
  onBell?(): void;
  /** The emulator failed on something in the output; part of it is not on the screen. */
  onFault(error: unknown): void;
  /** RIS: everything that the program had set is gone. */
  onReset?(): void;
}

export interface Screen {
  /** The cells, for what draws them. */
  readonly engine: Engine;
  readonly cols: number;
  readonly rows: number;
  /** Inside a synchronized frame (DEC 2026): what is on the screen is not yet what the program means to show. */
  readonly inFrame: boolean;
  /** Chunks of old rows that would cost less memory after `settleOne`. */
  readonly unsettledChunks: number;
  /** Parses at once. Characters and sequences may be cut anywhere. */
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  setColors(colors: TerminalColors): void;
  /** Tells the payload of every OSC sequence with this number. */
  onOsc(code: number, listener: (payload: string) => void): void;
  /** VT that gives this screen, its modes and up to `scrollbackLines` rows of history in a fresh emulator of this grid. */
  snapshot(scrollbackLines: number): Uint8Array;
  /** Rendered text: a row a line, trailing spaces dropped. On the alternate screen `all` is history and that screen. */
  text(extent: Extent): string;
  /** Where the cursor stands now, for `since`. */
  place(): Place;
  /** What was printed since, as rows; null when lines were laid out for another width meanwhile. */
  since(place: Place): string[] | null;
  /** History above the normal screen, paged upwards by absolute row number. */
  history(page: { maxLines: number; before?: number; epoch?: number }): HistoryPage;
  /**
   * Shows what `snapshot` of an earlier screen gave, then ends all of its modes and puts the cursor on a fresh row of the
   * normal screen, below `note`, if one is given, as a dim line.
   */
  resume(saved: { cols: number; rows: number; vt: Uint8Array }, note?: string): void;
  /** Compresses one chunk of old rows: a millisecond, for moments of rest. */
  settleOne(): void;
  /** Gives everything back; the screen must not be used afterwards. */
  dispose(): void;
}

export function createScreen(options: ScreenOptions): Screen {
  const { cols, rows, onFault } = options;
  const engine = createEngine({ cols, rows, onFault });
  const { terminal } = engine;
  repair(engine.terminal, engine.core);
  const links = trackLinks(engine);
  const scrollback = createScrollback(engine);
  let unfinished: Uint8Array = new Uint8Array(0);
  /** While old content is shown again nobody waits for answers, and its bells have rung. */
  let quiet = false;

  const reply = (text: string): void => {
    if (!quiet) options.onReply(text);
  };
  const colors = trackColors(engine, options.colors, reply);
  answerQueries(engine, options.version, reply);
  terminal.onData(reply);
  terminal.onTitleChange((title) => {
    if (!quiet) options.onTitle?.(title);
  });
  terminal.onBell(() => {
    if (!quiet) options.onBell?.();
  });
  terminal.parser.registerEscHandler({ final: "c" }, () => {
    colors.reset();
    if (!quiet) options.onReset?.();
    return false;
  });

  function write(bytes: Uint8Array): void {
    engine.parse(bytes);
    unfinished = unfinishedAfter(engine, unfinished, bytes);
  }

  function unfinishedBytes(): Uint8Array {
    return Buffer.concat([unfinished, engine.heldBack()]);
  }

  function resize(cols: number, rows: number): void {
    if (cols === terminal.cols && rows === terminal.rows) return;
    scrollback.beforeResize(cols);
    terminal.resize(cols, rows);
    scrollback.afterResize();
  }

  return {
    engine,
    get cols() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    get inFrame() {
      return terminal.modes.synchronizedOutputMode;
    },
    get unsettledChunks() {
      return scrollback.archive.looseChunks;
    },
    write,
    resize,
    setColors: colors.setTheme,
    onOsc(code, listener) {
      terminal.parser.registerOscHandler(code, (payload) => {
        if (!quiet) listener(payload);
        return false;
      });
    },
    snapshot(scrollbackLines) {
      const parts = {
        engine,
        links,
        scrollback,
        colorSequences: colors.sequences(),
        unfinished: unfinishedBytes(),
      };
      return snapshotVt(parts, scrollbackLines);
    },
    text: (extent) => screenText(engine, scrollback, extent),
    place: () => placeNow(engine, scrollback),
    since: (place) => rowsSince(engine, scrollback, place),
    history: scrollback.page,
    resume(saved, note) {
      const { cols, rows } = terminal;
      quiet = true;
      resize(saved.cols, saved.rows);
      write(saved.vt);
      write(Buffer.from(LEAVE_EVERYTHING));
      resize(cols, rows);
      const { baseY, length } = terminal.buffer.normal;
      let end = length;
      while (end > baseY && terminal.buffer.normal.getLine(end - 1)!.translateToString(true) === "") end--;
      const last = end - baseY;
      write(Buffer.from(last === 0 ? "\x1b[H" : `\x1b[${last};1H\r\n`));
      if (note !== undefined) write(Buffer.from(`\x1b[2m${note}\x1b[m\r\n`));
      quiet = false;
    },
    settleOne: scrollback.archive.deflateOne,
    dispose() {
      scrollback.dispose();
      terminal.dispose();
    },
  };
}
