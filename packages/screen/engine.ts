// The VT engine: the one file that imports @xterm/headless and the one that knows its insides. The public API of the
// emulator has no synchronous parse, no scroll region, no saved cursor and no way to take old lines out, so the types
// below name exactly what we use of its private objects. Pinned to 6.0.0; `engine.test.ts` fails when they move.
import { unfinishedUtf8Bytes } from "@kolu/contract/utf8.ts";
import type { EmulatorCore } from "@kolu/emulator/repairs.ts";
import graphemes from "@xterm/addon-unicode-graphemes";
import headless from "@xterm/headless";

export interface EngineExtended {
  /** Underline style (bits 27-29) and colour (bits 1-26). The public getter lies for cells that carry a link. */
  _ext: number;
  urlId: number;
  clone(): EngineExtended;
}

export interface EngineAttributes {
  fg: number;
  bg: number;
  extended: EngineExtended;
  updateExtended(): void;
}

export interface EngineLine {
  /** Three words a cell: content, foreground, background. */
  _data: Uint32Array;
  _combined: Record<number, string>;
  _extendedAttrs: Record<number, EngineExtended | undefined>;
  readonly length: number;
  isWrapped: boolean;
  getString(column: number): string;
  getWidth(column: number): number;
  getTrimmedLength(): number;
  translateToString(trimRight: boolean): string;
}

export interface EngineLines {
  readonly length: number;
  maxLength: number;
  get(index: number): EngineLine | undefined;
  set(index: number, line: EngineLine | undefined): void;
  trimStart(count: number): void;
  onTrim(listener: (count: number) => void): { dispose(): void };
}

export interface EngineBuffer {
  lines: EngineLines;
  /** Index of the screen's first row in `lines`: everything before it is scrollback. */
  ybase: number;
  ydisp: number;
  x: number;
  y: number;
  scrollTop: number;
  scrollBottom: number;
  savedX: number;
  savedY: number;
  savedCurAttrData: EngineAttributes;
  savedCharset: Record<string, string> | undefined;
  tabs: Record<number, boolean | undefined>;
}

interface EngineCore {
  buffers: {
    normal: EngineBuffer;
    alt: EngineBuffer;
    active: EngineBuffer;
    onBufferActivate(listener: () => void): { dispose(): void };
  };
  coreService: {
    isCursorHidden: boolean;
    decPrivateModes: { cursorStyle?: "block" | "underline" | "bar"; cursorBlink?: boolean };
  };
  coreMouseService: { activeEncoding: string };
  optionsService: { rawOptions: { scrollback: number } };
  /** Tells every scroll, of either buffer. */
  _bufferService: { onScroll(listener: () => void): { dispose(): void } };
  unicodeService: { charProperties(codePoint: number, preceding: number): number };
  _charsetService: { glevel: number; _charsets: (Record<string, string> | undefined)[] };
  _inputHandler: EmulatorCore["_inputHandler"] & {
    /** Would answer a promise if a handler of ours did; none does. */
    parse(bytes: Uint8Array): unknown;
    _parseBuffer: Uint32Array;
    _curAttrData: EngineAttributes;
    _parser: { currentState: number; precedingJoinState: number; reset(): void };
  };
}

export type Terminal = InstanceType<typeof headless.Terminal>;

export interface Engine {
  /** The public face of the emulator. */
  terminal: Terminal;
  core: EngineCore;
  /**
   * Parses at once, on this stack. A character that `bytes` end inside is held back. An error of the emulator costs the
   * rest of one piece and is told to `onFault`; what follows is parsed.
   */
  parse(bytes: Uint8Array): void;
  /** The bytes held back. */
  heldBack(): Uint8Array;
}

/** Bytes handed to the parser at a time; it keeps a work buffer of four times that. */
const NOTHING = new Uint8Array(0);
const PARSE_PIECE_BYTES = 16 * 1024;
/** One work buffer for every emulator of this thread instead of up to 512 KiB for each: parsing never nests. */
const parseBuffer = new Uint32Array(PARSE_PIECE_BYTES);

export function createEngine(options: { cols: number; rows: number; onFault(error: unknown): void }): Engine {
  const terminal = new headless.Terminal({
    cols: options.cols,
    rows: options.rows,
    allowProposedApi: true,
    logLevel: "off",
    // A program that pushes its title (vim, ssh) gets it back; reports of the window stay off.
    windowOptions: { pushTitle: true, popTitle: true },
  });
  terminal.loadAddon(new graphemes.UnicodeGraphemesAddon());
  const core = (terminal as unknown as { _core: EngineCore })._core;
  core._inputHandler._parseBuffer = parseBuffer;
  let held: Uint8Array = NOTHING;
  return {
    terminal,
    core,
    parse(bytes) {
      const input = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const whole = input.length - unfinishedUtf8Bytes(input);
      held = whole === input.length ? NOTHING : input.slice(whole);
      for (let start = 0; start < whole; ) {
        let piece = input.subarray(start, Math.min(whole, start + PARSE_PIECE_BYTES));
        if (start + piece.length < whole)
          piece = piece.subarray(0, piece.length - unfinishedUtf8Bytes(piece));
        try {
          core._inputHandler.parse(piece);
        } catch (error) {
          core._inputHandler._parser.reset();
          options.onFault(error);
        }
        start += piece.length;
      }
    },
    heldBack: () => held,
  };
}

/** The parser is between sequences. */
export function isGround(engine: Engine): boolean {
  return engine.core._inputHandler._parser.currentState === 0;
}

/** Columns that `codePoint` adds after `preceding`, whether it joins the cell before it, and the state to go on with. */
export function joinState(
  engine: Engine,
  codePoint: number,
  preceding: number,
): { state: number; joins: boolean; widthCols: number } {
  const state = engine.core.unicodeService.charProperties(codePoint, preceding);
  // Layout of the emulator's property word: bit 0 joins, bits 1-2 width.
  return { state, joins: (state & 1) !== 0, widthCols: (state >> 1) & 3 };
}
