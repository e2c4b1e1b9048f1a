// One row of cells as text and as VT. Reads the emulator's cell words directly: a scrollback of 10 000 rows through the
// public cell API costs ten times as much.
import { GRID_MAX_COLS } from "@kolu/contract/limits.ts";
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
import { type Engine, type EngineAttributes, type EngineLine, joinState } from "./engine.ts";
import { CLOSE_LINK, type Links } from "./links.ts";

// Colours, and flags beside them, of the foreground and background words.
const COLOR_16 = 0x1000000;
const COLOR_256 = 0x2000000;
const COLOR_RGB = 0x3000000;
const FG_UNDERLINE = 0x10000000;
const UNDERLINE_COLOR = 0x3ffffff;
const UNDERLINE_STYLE = 0x1c000000;
const UNDERLINE_STYLE_SHIFT = 26;
/** Flags that a plain number switches on; underline is apart because of its styles. */
const FG_FLAGS: [mask: number, sgr: number][] = [
  [0x8000000, 1],
  [0x20000000, 5],
  [0x4000000, 7],
  [0x40000000, 8],
  [0x80000000, 9],
];
const BG_FLAGS: [mask: number, sgr: number][] = [
  [0x8000000, 2],
  [0x4000000, 3],
  [0x40000000, 53],
];
const FG_FLAG_MASK = 0xfc000000;
/** Without "protected" (DECSCA), which no program of our time uses. */
const BG_FLAG_MASK = 0x4c000000;

/** A printable ASCII character, one column wide, in a cell of its own. */
function isPlain(content: number): boolean {
  return content >= (ONE_COLUMN | 0x20) && content < (ONE_COLUMN | 0x7f);
}
/** Work space for a run of plain characters. */
const run = Buffer.alloc(GRID_MAX_COLS);

/** Joining state of the emulator after a plain character: nothing special, one column wide. */
const AFTER_ASCII = 2;

/** The look that a stream of VT stands at: colours normalised, flags in their places. All zero is the default look. */
export interface Pen {
  fg: number;
  bg: number;
  underline: number;
  link: number;
}

export function defaultPen(): Pen {
  return { fg: 0, bg: 0, underline: 0, link: 0 };
}

/** The colour half of a word, without what an earlier colour left in bits that its mode does not use. */
function color(word: number): number {
  const mode = word & COLOR_MODE;
  if (mode === COLOR_RGB) return word & 0x3ffffff;
  return mode === 0 ? 0 : word & (COLOR_MODE | 0xff);
}

export function penOf(attributes: EngineAttributes): Pen {
  return makePen(attributes.fg, attributes.bg, attributes.extended);
}

function makePen(fg: number, bg: number, extended: { _ext: number; urlId: number } | undefined): Pen {
  const hasExtended = (bg & BG_EXTENDED) !== 0 && extended !== undefined;
  return {
    fg: (color(fg) | (fg & FG_FLAG_MASK)) >>> 0,
    bg: (color(bg) | (bg & BG_FLAG_MASK)) >>> 0,
    underline: hasExtended && fg & FG_UNDERLINE ? extended._ext & (UNDERLINE_STYLE | UNDERLINE_COLOR) : 0,
    link: hasExtended ? extended.urlId : 0,
  };
}

function colorParameters(value: number, base: 30 | 40): string {
  const mode = value & COLOR_MODE;
  if (mode === COLOR_16) {
    const index = value & 0xff;
    return `${index < 8 ? base + index : base + 60 + (index & 7)}`;
  }
  if (mode === COLOR_256) return `${base + 8};5;${value & 0xff}`;
  if (mode === COLOR_RGB) return `${base + 8};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`;
  return `${base + 9}`;
}

function underlineParameters(underline: number): string[] {
  const style = (underline & UNDERLINE_STYLE) >>> UNDERLINE_STYLE_SHIFT;
  return [style > 1 ? `4:${style}` : "4", ...underlineColorParameters(underline)];
}

function underlineColorParameters(underline: number): string[] {
  const mode = underline & COLOR_MODE;
  if (mode === COLOR_RGB)
    return [`58:2::${(underline >> 16) & 255}:${(underline >> 8) & 255}:${underline & 255}`];
  return mode === 0 ? [] : [`58:5:${underline & 255}`];
}

/** SGR parameters that turn the look `from` into `to`; links are not SGR. Empty when nothing differs. */
export function sgrParameters(from: Pen, to: Pen): string[] {
  if (from.fg === to.fg && from.bg === to.bg && from.underline === to.underline) return [];
  const flagsLost =
    (from.fg & ~to.fg & FG_FLAG_MASK) !== 0 ||
    (from.bg & ~to.bg & BG_FLAG_MASK) !== 0 ||
    (from.underline !== 0 && from.underline !== to.underline);
  const parameters: string[] = [];
  let base = from;
  if (flagsLost || (to.fg === 0 && to.bg === 0)) {
    parameters.push("0");
    base = { fg: 0, bg: 0, underline: 0, link: from.link };
  }
  for (const [mask, sgr] of FG_FLAGS) if (to.fg & ~base.fg & mask) parameters.push(`${sgr}`);
  for (const [mask, sgr] of BG_FLAGS) if (to.bg & ~base.bg & mask) parameters.push(`${sgr}`);
  if (to.fg & FG_UNDERLINE && (!(base.fg & FG_UNDERLINE) || base.underline !== to.underline))
    parameters.push(...underlineParameters(to.underline));
  if (color(base.fg) !== color(to.fg)) parameters.push(colorParameters(to.fg, 30));
  if (color(base.bg) !== color(to.bg)) parameters.push(colorParameters(to.bg, 40));
  return parameters;
}

/** Writes rows and attributes as VT, knowing what the receiving emulator's pen stands at. */
export class VtWriter {
  private readonly engine: Engine;
  private readonly links: Links;
  pen: Pen = defaultPen();
  out = "";
  /** The emulator's joining state after what was printed last; 0 after any sequence. */
  private join = 0;

  constructor(engine: Engine, links: Links) {
    this.engine = engine;
    this.links = links;
  }

  /** Brings the pen to the given look. */
  look(to: Pen): void {
    const before = this.out.length;
    const parameters = sgrParameters(this.pen, to);
    if (parameters.length > 0) this.out += `\x1b[${parameters.join(";")}m`;
    let link = to.link;
    if (link !== this.pen.link) {
      const open = link === 0 ? null : this.links.openSequence(link);
      if (open === null) link = 0;
      if (open !== null || this.pen.link !== 0) this.out += open ?? CLOSE_LINK;
    }
    this.pen = { fg: to.fg, bg: to.bg, underline: to.underline, link };
    if (this.out.length !== before) this.join = 0;
  }

  lookOf(attributes: EngineAttributes): void {
    this.look(penOf(attributes));
  }

  /** The pen that a program goes on with: an underline colour counts before anything is underlined. */
  currentPen(attributes: EngineAttributes): void {
    this.lookOf(attributes);
    const waiting = attributes.fg & FG_UNDERLINE ? [] : underlineColorParameters(attributes.extended._ext);
    if (waiting.length > 0) this.out += `\x1b[${waiting.join(";")}m`;
  }

  /** Back to the default look, links closed. */
  plain(): void {
    this.look(defaultPen());
  }

  /** Only the background: what erasing takes its colour from. */
  private background(bgColor: number): void {
    if (color(this.pen.bg) === bgColor) return;
    this.look(
      bgColor === 0
        ? { ...defaultPen(), link: this.pen.link }
        : { ...this.pen, bg: (this.pen.bg & BG_FLAG_MASK) | bgColor },
    );
  }

  /**
   * Writes the cells of a row from column 0. `wrappedInto`: the row before ended in an automatic wrap, so the receiving
   * row may have been filled with the background of this row's first cell.
   */
  row(line: EngineLine, wrappedInto: boolean): void {
    const data = line._data;
    const columns = line.length;
    const written = line.getTrimmedLength();
    const cleanCells = wrappedInto ? color(data[2]!) === 0 : true;
    let lastFg = -1;
    let lastBg = -1;
    let lastExtended: unknown;
    let column = 0;
    while (column < written) {
      const offset = column * WORDS_PER_CELL;
      const content = data[offset]!;
      if ((content & HAS_CONTENT) === 0) {
        column = this.gap(data, column, written, cleanCells);
        lastFg = -1;
        continue;
      }
      const fg = data[offset + 1]!;
      const bg = data[offset + 2]!;
      const extended = bg & BG_EXTENDED ? line._extendedAttrs[column] : undefined;
      if (fg !== lastFg || bg !== lastBg || extended !== lastExtended) {
        this.look(makePen(fg, bg, extended));
        lastFg = fg;
        lastBg = bg;
        lastExtended = extended;
      }
      if (isPlain(content) && this.join >> 3 === 0) {
        column = this.plainRun(data, column, bg & BG_EXTENDED ? column + 1 : written);
        continue;
      }
      this.cluster(
        content & IS_COMBINED ? line._combined[column]! : String.fromCodePoint(content & CODE_POINT),
      );
      column += content >> WIDTH_SHIFT || 1;
    }
    if (written < columns) this.tail(data, written, columns, cleanCells);
  }

  /** Writes plain characters of one look, as far as they go. Answers where they end. */
  private plainRun(data: Uint32Array, start: number, limit: number): number {
    const fg = data[start * WORDS_PER_CELL + 1]!;
    const bg = data[start * WORDS_PER_CELL + 2]!;
    let column = start;
    do {
      run[column - start] = data[column * WORDS_PER_CELL]! & CODE_POINT;
      column++;
    } while (
      column < limit &&
      isPlain(data[column * WORDS_PER_CELL]!) &&
      data[column * WORDS_PER_CELL + 1] === fg &&
      data[column * WORDS_PER_CELL + 2] === bg
    );
    this.out += run.toString("latin1", 0, column - start);
    this.join = AFTER_ASCII;
    return column;
  }

  /** What is printed next does not join what was printed last: any sequence does that, the pen said again harms nothing. */
  endCluster(): void {
    this.out += `\x1b[${["0", ...sgrParameters(defaultPen(), this.pen)].join(";")}m`;
    this.join = 0;
  }

  /** Prints the cell at `column` alone; a blank for one that was erased. */
  cell(line: EngineLine, column: number): void {
    const offset = column * WORDS_PER_CELL;
    this.look(makePen(line._data[offset + 1]!, line._data[offset + 2]!, line._extendedAttrs[column]));
    this.out += line.getString(column) || " ";
  }

  /** Writes one cell's text, kept apart from the cell before when the two would join. */
  private cluster(text: string): void {
    const first = text.codePointAt(0)!;
    if (this.join !== 0 && joinState(this.engine, first, this.join).joins) this.endCluster();
    this.out += text;
    for (const character of text)
      this.join = joinState(this.engine, character.codePointAt(0)!, this.join).state;
  }

  /** Cells never written, between written ones: their background is erased in, the cursor steps over them. */
  private gap(data: Uint32Array, start: number, end: number, clean: boolean): number {
    const background = color(data[start * WORDS_PER_CELL + 2]!);
    let column = start + 1;
    while (
      column < end &&
      (data[column * WORDS_PER_CELL]! & HAS_CONTENT) === 0 &&
      color(data[column * WORDS_PER_CELL + 2]!) === background
    )
      column++;
    if (background !== 0 || !clean) {
      this.background(background);
      this.out += `\x1b[${column - start}X`;
    }
    this.out += `\x1b[${column - start}C`;
    this.join = 0;
    return column;
  }

  /** Cells after the last written one, to the end of the row. */
  private tail(data: Uint32Array, start: number, columns: number, clean: boolean): void {
    let column = start;
    while (column < columns) {
      const background = color(data[column * WORDS_PER_CELL + 2]!);
      let end = column + 1;
      while (end < columns && color(data[end * WORDS_PER_CELL + 2]!) === background) end++;
      if (background !== 0 || !clean || column > start) {
        this.background(background);
        this.out += "\x1b[K";
        this.join = 0;
      }
      if (end < columns) this.out += `\x1b[${end - column}C`;
      column = end;
    }
  }

  /** Ends a row with a line break that cannot colour the new row. */
  lineBreak(): void {
    if (color(this.pen.bg) !== 0) this.plain();
    this.out += "\r\n";
    this.join = 0;
  }
}

/**
 * Printing `next` right after `line` wraps by itself into the same two rows. Where not (the end of the row was erased
 * since), the rows are kept as they look and the knowledge that they were one line is given up.
 */
export function wrapsNaturally(line: EngineLine, next: EngineLine): boolean {
  if (!next.isWrapped) return false;
  const first = next._data[0]!;
  if ((first & HAS_CONTENT) === 0) return false;
  const written = line.getTrimmedLength();
  if (written === line.length) return true;
  return (
    written === line.length - 1 &&
    first >> WIDTH_SHIFT === 2 &&
    color(line._data[written * WORDS_PER_CELL + 2]!) === color(next._data[2]!)
  );
}

/** Nothing to see: no text and no coloured cell. */
export function isBlankRow(line: EngineLine): boolean {
  const data = line._data;
  for (let index = 0; index < line.length * WORDS_PER_CELL; index += WORDS_PER_CELL) {
    if (data[index]! & HAS_CONTENT || data[index + 2]! & COLOR_MODE) return false;
  }
  return true;
}

/** The row's text, its trailing spaces dropped. */
export function rowText(line: EngineLine): string {
  return trimSpaces(line.translateToString(true));
}

export function trimSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
  return end === text.length ? text : text.slice(0, end);
}
