// Scrollback of one screen: the newest part as cells in the emulator, the rest in the archive. While output floods, the
// emulator keeps everything itself (it recycles rows at no cost); `compact` moves the surplus into the archive when the
// owner has time. Both together are one sequence of rows with absolute numbers.
import { HOT_LINES, SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import { type Archive, type ArchivedRow, createArchive } from "./archive.ts";
import { type Engine, type EngineBuffer, type EngineLines, joinState } from "./engine.ts";
import type { Links } from "./links.ts";
import { rowText, VtWriter, wrapsNaturally } from "./row.ts";

/** Rows moved to the archive at a time: one to five milliseconds of work. */
const CHUNK_ROWS = 250;

/** Rows that the emulator has slots for while it needs no more: slots for a full scrollback are 80 KB a terminal. */
const REST_ROOM_ROWS = HOT_LINES + 2 * CHUNK_ROWS;
const ROOM_GROWTH = 3;

export type HistoryPage =
  | { kind: "page"; lines: string[]; topLine: number; epoch: number; exhausted: boolean }
  | { kind: "stale"; epoch: number };

export interface Scrollback {
  readonly archive: Archive;
  /** Rows above the screen that can be read. */
  readonly rowCount: number;
  /** Bumped when rows got other numbers. */
  readonly epoch: number;
  /** Rows that `compact` could move. */
  readonly surplusRows: number;
  /** Moves up to one chunk of surplus rows into the archive. Answers whether more are left. */
  compact(): boolean;
  /** Makes room for the rows that a narrower grid makes of the present ones, so that none is lost; call before. */
  beforeResize(cols: number): void;
  afterResize(): void;
  /** Text of the newest `count` rows above the screen, the oldest first. */
  newestText(count: number): string[];
  page(request: { maxLines: number; before?: number; epoch?: number }): HistoryPage;
  dispose(): void;
}

export function createScrollback(engine: Engine, links: Links): Scrollback {
  const archive = createArchive((text, cols) => splitAtWidth(engine, text, cols));
  let list: EngineLines = normal().lines;
  let roomRows = REST_ROOM_ROWS;
  let colsBefore = engine.terminal.cols;
  let epoch = 0;
  /** Absolute number of the first row in `list`. */
  let firstLine = 0;
  let compacting = false;
  let trims = list.onTrim(onTrim);
  let scrolls: { dispose(): void } | null = null;
  setRoom(REST_ROOM_ROWS);

  function normal(): EngineBuffer {
    return engine.core.buffers.normal;
  }

  function onTrim(count: number): void {
    firstLine += count;
    // Rows left that were not moved: the emulator alone holds a full scrollback, or a program erased it. Either way
    // what is older has no place any more.
    if (!compacting && archive.rowCount > 0) archive.clear();
  }

  // A full reset replaces the emulator's buffers.
  const activations = engine.core.buffers.onBufferActivate(() => {
    if (normal().lines === list) return;
    trims.dispose();
    firstLine += list.length;
    list = normal().lines;
    trims = list.onTrim(onTrim);
    archive.clear();
  });

  /** Rows in the archive that count: both parts together stay within the limit. */
  function archiveRoom(): number {
    return Math.max(0, SCROLLBACK_LINES - normal().ybase);
  }

  function surplusRows(): number {
    return Math.max(0, normal().ybase - HOT_LINES);
  }

  /** How many of the oldest rows to move: whole lines where possible, so that a chunk can be laid out by itself. */
  function cut(rows: number): number {
    for (let count = rows; count > rows / 2; count--) if (!list.get(count)?.isWrapped) return count;
    return rows;
  }

  function capture(count: number): ArchivedRow[] {
    const writer = new VtWriter(engine, links);
    const rows: ArchivedRow[] = [];
    for (let index = 0; index < count; index++) {
      const line = list.get(index)!;
      const wrapped = index > 0 && wrapsNaturally(list.get(index - 1)!, line);
      writer.row(line, wrapped);
      writer.plain();
      rows.push({ vt: writer.take(), wrapped });
    }
    return rows;
  }

  function compact(chunkRows = CHUNK_ROWS): boolean {
    const surplus = surplusRows();
    if (surplus === 0) return false;
    const count = cut(Math.min(surplus, chunkRows));
    archive.push(capture(count), engine.terminal.cols);
    // The ring keeps its slots when it is trimmed: without this the rows would stay in memory.
    for (let index = 0; index < count; index++) list.set(index, undefined);
    compacting = true;
    list.trimStart(count);
    compacting = false;
    const buffer = normal();
    buffer.ybase -= count;
    buffer.ydisp = buffer.ybase;
    buffer.savedY = Math.max(0, buffer.savedY - count);
    archive.limit(archiveRoom());
    if (surplus === count && roomRows > REST_ROOM_ROWS) setRoom(REST_ROOM_ROWS);
    return surplus > count;
  }

  /** Not through the emulator's option: setting that ends the scroll region and moves the cursor. */
  function setRoom(rows: number): void {
    roomRows = rows;
    engine.core.optionsService.rawOptions.scrollback = rows;
    list.maxLength = rows + engine.terminal.rows;
    if (rows < SCROLLBACK_LINES) scrolls ??= engine.core._bufferService.onScroll(growRoom);
    else {
      scrolls?.dispose();
      scrolls = null;
    }
  }

  /** Before the emulator would drop its oldest row, whatever scrolls it. */
  function growRoom(): void {
    if (normal().ybase >= roomRows - 1) setRoom(Math.min(SCROLLBACK_LINES, roomRows * ROOM_GROWTH));
  }

  return {
    archive,
    get rowCount() {
      return normal().ybase + Math.min(archive.rowCount, archiveRoom());
    },
    get epoch() {
      return epoch;
    },
    get surplusRows() {
      return surplusRows();
    },
    compact,

    beforeResize(cols) {
      colsBefore = engine.terminal.cols;
      if (cols === colsBefore) return;
      // Laying out 10 000 rows anew takes long and would push the oldest out of the ring.
      while (compact());
      if (cols < colsBefore)
        setRoom(Math.max(SCROLLBACK_LINES, list.length * (Math.ceil(colsBefore / cols) + 1)));
    },

    afterResize() {
      if (engine.terminal.cols === colsBefore) return;
      epoch++;
      // Rows of the archive are counted anew at the new width; leave numbers for all that can be read.
      if (firstLine < SCROLLBACK_LINES) firstLine += SCROLLBACK_LINES;
      // Rows beyond the usual room go at once; otherwise lowering the room would drop them.
      while (normal().ybase > SCROLLBACK_LINES && compact());
      setRoom(normal().ybase < REST_ROOM_ROWS ? REST_ROOM_ROWS : SCROLLBACK_LINES);
    },

    newestText(count) {
      const { ybase } = normal();
      const wanted = Math.min(count, SCROLLBACK_LINES);
      const rows: string[] = [];
      for (let index = Math.max(0, ybase - wanted); index < ybase; index++)
        rows.push(rowText(list.get(index)!));
      const missing = Math.min(wanted - rows.length, archiveRoom());
      if (missing <= 0 || archive.rowCount === 0) return rows;
      return [...archive.text({ cols: engine.terminal.cols, skip: 0, take: missing }).rows, ...rows];
    },

    page({ maxLines, before, epoch: asked }) {
      if (asked !== undefined && asked !== epoch) return { kind: "stale", epoch };
      const { ybase } = normal();
      const end = Math.min(before ?? Infinity, firstLine + ybase);
      const oldest = firstLine + ybase - SCROLLBACK_LINES;
      const start = Math.max(end - maxLines, oldest);
      const lines: string[] = [];
      for (let line = Math.max(start, firstLine); line < end; line++)
        lines.push(rowText(list.get(line - firstLine)!));
      let exhausted = start <= firstLine && archive.rowCount === 0;
      if (start < firstLine && archive.rowCount > 0) {
        const archiveEnd = Math.min(end, firstLine);
        const older = archive.text({
          cols: engine.terminal.cols,
          skip: firstLine - archiveEnd,
          take: archiveEnd - start,
        });
        lines.unshift(...older.rows);
        exhausted = !older.more;
      }
      const topLine = end - lines.length;
      return {
        kind: "page",
        lines,
        topLine: Math.max(0, topLine),
        epoch,
        exhausted: exhausted || topLine <= oldest,
      };
    },

    dispose() {
      trims.dispose();
      scrolls?.dispose();
      activations.dispose();
      archive.clear();
    },
  };
}

/** Cuts a line into rows as the emulator would: a wide character that does not fit begins the next row. */
function splitAtWidth(engine: Engine, text: string, cols: number): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) {
    const rows: string[] = [];
    for (let start = 0; start < text.length; start += cols) rows.push(text.slice(start, start + cols));
    return rows.length === 0 ? [""] : rows;
  }
  const rows: string[] = [];
  let row = "";
  let column = 0;
  let cluster = "";
  let clusterCols = 0;
  let state = 0;
  const place = (): void => {
    if (column + clusterCols > cols) {
      rows.push(row);
      row = "";
      column = 0;
    }
    row += cluster;
    column += clusterCols;
  };
  for (const character of text) {
    const next = joinState(engine, character.codePointAt(0)!, state);
    if (next.joins) cluster += character;
    else {
      place();
      cluster = character;
    }
    clusterCols = next.widthCols;
    state = next.state;
  }
  place();
  rows.push(row);
  return rows;
}
