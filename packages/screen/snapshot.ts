// The whole state of a screen as VT: written into a fresh emulator of the same grid it gives the same cells, cursor and
// modes, and the bytes that follow in the stream then do there what they do here. The serializer that comes with the
// emulator leaves out the scroll region, the saved cursor, charsets, tab stops, underline styles, links, the cursor's
// visibility and a half-read sequence, so programs drew wrongly after a re-attach; hence our own.
import type { Engine, EngineBuffer, EngineLine } from "./engine.ts";
import type { Links } from "./links.ts";
import { isBlankRow, VtWriter, wrapsNaturally } from "./row.ts";
import type { Scrollback } from "./scrollback.ts";

export interface SnapshotParts {
  engine: Engine;
  links: Links;
  scrollback: Scrollback;
  /** Colours that a program set, as sequences. */
  colorSequences: string;
  /** The bytes of a sequence or character that is not complete yet. */
  unfinished: Uint8Array;
}

/** Everything above, with up to `scrollbackLines` rows of history. */
export function snapshotVt(parts: SnapshotParts, scrollbackLines: number): Uint8Array {
  const { engine, links, scrollback } = parts;
  const writer = new VtWriter(engine, links);
  const { normal, active } = engine.core.buffers;
  writeNormal(writer, normal, scrollback, scrollbackLines, engine.terminal.rows);
  if (active !== normal) {
    writeSavedCursor(writer, normal);
    writeScrollRegion(writer, normal, engine.terminal.rows);
    writer.plain();
    // 1047 rather than 1049: the cursor of the normal screen is saved above, with its own attributes.
    writer.out += "\x1b[?1047h\x1b[H";
    writeRows(writer, active, 0, lastRowToWrite(active, 0, engine.terminal.rows));
  }
  writer.plain();
  writer.out += parts.colorSequences;
  writeTabStops(writer, active, engine.terminal.cols);
  writeSavedCursor(writer, active);
  writeScrollRegion(writer, active, engine.terminal.rows);
  writeCharsets(writer, engine);
  writeModes(writer, engine);
  writeCursor(writer, engine, active);
  const vt = Buffer.from(writer.out, "utf8");
  return parts.unfinished.length === 0 ? vt : Buffer.concat([vt, parts.unfinished]);
}

function writeNormal(
  writer: VtWriter,
  buffer: EngineBuffer,
  scrollback: Scrollback,
  scrollbackLines: number,
  screenRows: number,
): void {
  const wanted = Math.min(scrollbackLines, scrollback.rowCount);
  const archivedRows = Math.max(0, wanted - buffer.ybase);
  const start = Math.max(0, buffer.ybase - wanted);
  writeArchived(writer, scrollback, archivedRows);
  const hasHistory = archivedRows > 0 || start < buffer.ybase;
  const end = hasHistory ? buffer.ybase + screenRows : lastRowToWrite(buffer, start, screenRows);
  writeRows(writer, buffer, start, end);
}

function writeArchived(writer: VtWriter, scrollback: Scrollback, rowCount: number): void {
  if (rowCount === 0) return;
  let isFirst = true;
  scrollback.archive.lines({ skip: scrollback.overlapRows, take: rowCount }, (line, wrapped) => {
    if (!isFirst && !wrapped) writer.lineBreak();
    writer.row(line, wrapped && !isFirst);
    isFirst = false;
  });
  writer.lineBreak();
}

/** Without history the rows below the last one that shows anything need not be written. */
function lastRowToWrite(buffer: EngineBuffer, start: number, screenRows: number): number {
  let end = buffer.ybase + screenRows;
  while (end > start + 1 && isBlankRow(buffer.lines.get(end - 1)!)) end--;
  return end;
}

function writeRows(writer: VtWriter, buffer: EngineBuffer, start: number, end: number): void {
  for (let index = start; index < end; index++) {
    const line = buffer.lines.get(index)!;
    const wrapped = index > start && wrapsNaturally(buffer.lines.get(index - 1)!, line);
    if (index > start && !wrapped) writer.lineBreak();
    writer.row(line, wrapped);
  }
}

function moveTo(writer: VtWriter, row: number, column: number): void {
  writer.out += `\x1b[${row + 1};${column + 1}H`;
}

function writeSavedCursor(writer: VtWriter, buffer: EngineBuffer): void {
  const row = Math.max(0, buffer.savedY - buffer.ybase);
  const attributes = buffer.savedCurAttrData;
  const charset = charsetDesignator(buffer.savedCharset);
  if (row === 0 && buffer.savedX === 0 && attributes.fg === 0 && attributes.bg === 0 && charset === null)
    return;
  writer.lookOf(attributes);
  moveTo(writer, row, buffer.savedX);
  if (charset !== null) writer.out += `\x1b(${charset}`;
  writer.out += "\x1b7";
  if (charset !== null) writer.out += "\x1b(B";
}

function writeScrollRegion(writer: VtWriter, buffer: EngineBuffer, screenRows: number): void {
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== screenRows - 1)
    writer.out += `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
}

const TAB_STOP_COLS = 8;

function writeTabStops(writer: VtWriter, buffer: EngineBuffer, cols: number): void {
  let usual = true;
  for (let column = 0; column < cols; column++)
    if (Boolean(buffer.tabs[column]) !== (column % TAB_STOP_COLS === 0)) usual = false;
  if (usual) return;
  writer.out += "\x1b[3g";
  for (let column = 0; column < cols; column++)
    if (buffer.tabs[column]) writer.out += `\x1b[${column + 1}G\x1bH`;
}

/** The final character that designates a charset: line drawing and UK, the two that programs use; null is ASCII. */
function charsetDesignator(charset: Record<string, string> | undefined): string | null {
  if (!charset) return null;
  if (charset.q === "─") return "0";
  return charset["#"] === "£" ? "A" : null;
}

function writeCharsets(writer: VtWriter, engine: Engine): void {
  const { _charsets: charsets, glevel } = engine.core._charsetService;
  for (const [level, intermediate] of ["(", ")", "*", "+"].entries()) {
    const designator = charsetDesignator(charsets[level]);
    if (designator !== null) writer.out += `\x1b${intermediate}${designator}`;
  }
  const shift = ["", "\x0e", "\x1bn", "\x1bo"][glevel] ?? "";
  writer.out += shift;
}

const MOUSE_MODES = {
  none: "",
  x10: "\x1b[?9h",
  vt200: "\x1b[?1000h",
  drag: "\x1b[?1002h",
  any: "\x1b[?1003h",
};
const CURSOR_STYLES = { block: 2, underline: 4, bar: 6 };

function writeModes(writer: VtWriter, engine: Engine): void {
  const { modes, options } = engine.terminal;
  const { coreService, coreMouseService } = engine.core;
  if (modes.applicationCursorKeysMode) writer.out += "\x1b[?1h";
  if (modes.applicationKeypadMode) writer.out += "\x1b=";
  if (modes.bracketedPasteMode) writer.out += "\x1b[?2004h";
  if (modes.reverseWraparoundMode) writer.out += "\x1b[?45h";
  if (modes.sendFocusMode) writer.out += "\x1b[?1004h";
  if (!modes.wraparoundMode) writer.out += "\x1b[?7l";
  if (options.convertEol) writer.out += "\x1b[20h";
  if (modes.insertMode) writer.out += "\x1b[4h";
  // Homes the cursor, which is placed afterwards, relative to the region.
  if (modes.originMode) writer.out += "\x1b[?6h";
  writer.out += MOUSE_MODES[modes.mouseTrackingMode];
  if (coreMouseService.activeEncoding === "SGR") writer.out += "\x1b[?1006h";
  if (coreMouseService.activeEncoding === "SGR_PIXELS") writer.out += "\x1b[?1016h";
  if (coreService.isCursorHidden) writer.out += "\x1b[?25l";
  if (options.cursorBlink) writer.out += "\x1b[?12h";
  const { cursorStyle, cursorBlink } = coreService.decPrivateModes;
  if (cursorStyle) writer.out += `\x1b[${CURSOR_STYLES[cursorStyle] - (cursorBlink ? 1 : 0)} q`;
}

/**
 * Places the cursor with the pen that comes next. After a printed character two more things are state: a wrap that is
 * due (the cursor stands past the last column), and the character itself, which a combining mark may still join. Both
 * come back by printing that character once more.
 */
function writeCursor(writer: VtWriter, engine: Engine, buffer: EngineBuffer): void {
  const { modes, cols } = engine.terminal;
  const pen = engine.core._inputHandler._curAttrData;
  const row = modes.originMode ? buffer.y - buffer.scrollTop : buffer.y;
  const line = buffer.lines.get(buffer.ybase + buffer.y)!;
  const joinable = engine.core._inputHandler._parser.precedingJoinState !== 0;
  const wrapIsDue = buffer.x >= cols;
  const printed = lastPrinted(line, buffer.x);
  if (printed !== null && joinable) {
    // Printed with the present pen: no sequence came since, and one now would end the joining.
    writer.currentPen(pen);
    moveTo(writer, row, printed.column);
    if (modes.insertMode && !wrapIsDue) writer.out += `\x1b[${buffer.x - printed.column}P`;
    writer.out += printed.text;
    return;
  }
  moveTo(writer, row, Math.min(buffer.x, cols - 1));
  if (wrapIsDue) {
    if (printed !== null) moveTo(writer, row, printed.column);
    writer.cell(line, printed?.column ?? cols - 1);
    writer.endCluster();
  }
  writer.currentPen(pen);
}

function lastPrinted(line: EngineLine, x: number): { column: number; text: string } | null {
  for (const back of [1, 2]) {
    const column = x - back;
    if (column < 0) return null;
    const text = line.getString(column);
    if (text !== "") return line.getWidth(column) === back ? { column, text } : null;
  }
  return null;
}

/** Sequences after which any content reads as plain text on a fresh line of the normal screen. */
export const LEAVE_EVERYTHING =
  // CAN ends a half-read sequence; then the alternate screen, the soft reset, and what the soft reset leaves on.
  "\x18\x1b[?1047l\x1b[!p\x1b]8;;\x1b\\\x1b[m\x1b[?7h\x1b[?45l\x1b[20l\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l" +
  "\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?1l\x1b>\x1b[0 q\x1b[?12l\x1b[?25h\x1b(B\x1b)B\x0f";
