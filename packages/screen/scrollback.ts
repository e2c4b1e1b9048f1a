// Scrollback of one screen: the newest part as cells in the emulator, the rest in the archive. The emulator keeps a ring
// of rows and reuses the oldest at every scroll; just before it comes to rows that are not archived yet, the next chunk
// of them is packed, so nothing is lost however a program scrolls. Both together are one sequence with absolute numbers.
import { SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import { type Archive, createArchive } from "./archive.ts";
import { type Engine, type EngineBuffer, type EngineLines, joinState } from "./engine.ts";
import { packRows } from "./packed-rows.ts";
import { rowText, wrapsNaturally } from "./row.ts";

/** Rows packed at a time. */
const CHUNK_ROWS = 150;
/** Rows of scrollback left in the emulator, for a screen that grows taller or wider. A row there costs 12 bytes a cell. */
const KEPT_ROWS = 250;
/** Scrollback of the emulator: the kept rows, and those that are packed already and will be reused next. */
const RING_ROWS = KEPT_ROWS + CHUNK_ROWS;

export type HistoryPage =
  | { kind: "page"; lines: string[]; topLine: number; epoch: number; exhausted: boolean }
  | { kind: "stale"; epoch: number };

export interface Scrollback {
  readonly archive: Archive;
  /** Rows above the screen that can be read. */
  readonly rowCount: number;
  /** Rows of the archive that are still in the emulator too. */
  readonly overlapRows: number;
  /** Absolute number of the screen's first row. */
  readonly topLine: number;
  /** Another one: rows are numbered anew. */
  readonly epoch: number;
  /** Makes room for the rows that another grid makes of the present ones, so that none is lost; call before. */
  beforeResize(cols: number): void;
  afterResize(): void;
  /** Text of the newest `count` rows above the screen, the oldest first. */
  newestText(count: number): string[];
  page(request: { maxLines: number; before?: number; epoch?: number }): HistoryPage;
  dispose(): void;
}

export function createScrollback(engine: Engine): Scrollback {
  const archive = createArchive((text, cols) => splitAtWidth(engine, text, cols));
  let list: EngineLines = normal().lines;
  let colsBefore = engine.terminal.cols;
  let epoch = 0;
  /** Absolute numbers of the first row in `list`, and of the first that is not in the archive. */
  let firstLine = 0;
  let archivedThrough = 0;
  let resizing = false;
  let trims = list.onTrim(onTrim);
  const scrolls = engine.core._bufferService.onScroll(archiveBeforeReuse);
  setRoom(RING_ROWS);

  // A full reset replaces the emulator's buffers.
  const activations = engine.core.buffers.onBufferActivate(() => {
    if (normal().lines === list) return;
    trims.dispose();
    firstLine += list.length;
    list = normal().lines;
    trims = list.onTrim(onTrim);
    forgetArchive();
  });

  function normal(): EngineBuffer {
    return engine.core.buffers.normal;
  }

  function forgetArchive(): void {
    archive.clear();
    archivedThrough = firstLine;
  }

  function onTrim(count: number): void {
    firstLine += count;
    // A scroll reuses one row, archived by now. Many at once are a program that erases its scrollback (ED 3).
    if (!resizing && (count > 1 || firstLine > archivedThrough)) forgetArchive();
  }

  /** Called after every scroll: the next one reuses the first row of a full ring. */
  function archiveBeforeReuse(): void {
    if (list.length === list.maxLength && firstLine >= archivedThrough) archiveRows(CHUNK_ROWS);
  }

  /** Packs up to `count` rows that are not archived yet; whole lines where possible, to be laid out by themselves. */
  function archiveRows(count: number): void {
    const start = archivedThrough - firstLine;
    let end = Math.min(start + count, normal().ybase);
    for (let cut = end; cut > end - count / 2; cut--) {
      if (list.get(cut)?.isWrapped) continue;
      end = cut;
      break;
    }
    if (end <= start) return;
    const packed = packRows(
      end - start,
      (index) => list.get(start + index)!,
      (index) => index > 0 && wrapsNaturally(list.get(start + index - 1)!, list.get(start + index)!),
    );
    archive.push(packed, end - start, engine.terminal.cols);
    archivedThrough = firstLine + end;
    archive.limit(archiveRoom() + end);
  }

  /** Rows of the archive that count beside those in the emulator: together they stay within the limit. */
  function archiveRoom(): number {
    return Math.max(0, SCROLLBACK_LINES - normal().ybase);
  }

  function overlapRows(): number {
    return archivedThrough - firstLine;
  }

  /** Not through the emulator's option: setting that ends the scroll region and moves the cursor. */
  function setRoom(rows: number): void {
    engine.core.optionsService.rawOptions.scrollback = rows;
    list.maxLength = rows + engine.terminal.rows;
  }

  /** Takes archived rows out of the emulator. Only while resizing. */
  function trim(count: number): void {
    // The ring keeps its slots when it is trimmed: without this the rows would stay in memory.
    for (let index = 0; index < count; index++) list.set(index, undefined);
    list.trimStart(count);
    const buffer = normal();
    buffer.ybase -= count;
    buffer.ydisp = buffer.ybase;
    buffer.savedY = Math.max(0, buffer.savedY - count);
  }

  /** Takes rows out of the emulator until the ring holds what it should. */
  function shrink(): void {
    while (normal().ybase > RING_ROWS) {
      if (overlapRows() === 0) archiveRows(CHUNK_ROWS);
      trim(Math.min(overlapRows(), normal().ybase - RING_ROWS));
    }
  }

  /** Parts the archive from the ring where a line begins: each is laid out anew by itself. */
  function partAtLine(): void {
    let begun = 0;
    while (begun < normal().ybase && list.get(begun)!.isWrapped) begun++;
    while (overlapRows() < begun) archiveRows(begun - overlapRows());
    archive.dropNewest(overlapRows() - begun);
    archivedThrough = firstLine + begun;
    trim(begun);
  }

  return {
    archive,
    get rowCount() {
      return normal().ybase + Math.min(archive.rowCount - overlapRows(), archiveRoom());
    },
    get overlapRows() {
      return overlapRows();
    },
    get topLine() {
      return firstLine + normal().ybase;
    },
    get epoch() {
      return epoch;
    },

    beforeResize(cols) {
      resizing = true;
      colsBefore = engine.terminal.cols;
      const growth = cols < colsBefore ? Math.ceil(colsBefore / cols) + 1 : 1;
      if (cols !== colsBefore) partAtLine();
      setRoom(list.length * growth + engine.terminal.rows);
    },

    afterResize() {
      if (engine.terminal.cols !== colsBefore) {
        epoch++;
        // Rows of the archive are counted anew at the new width; leave numbers for all that can be read.
        if (firstLine < SCROLLBACK_LINES) {
          firstLine += SCROLLBACK_LINES;
          archivedThrough += SCROLLBACK_LINES;
        }
      }
      shrink();
      setRoom(RING_ROWS);
      resizing = false;
      archiveBeforeReuse();
    },

    newestText(count) {
      const { ybase } = normal();
      const wanted = Math.min(count, SCROLLBACK_LINES);
      const rows: string[] = [];
      for (let index = Math.max(0, ybase - wanted); index < ybase; index++)
        rows.push(rowText(list.get(index)!));
      const missing = Math.min(wanted - rows.length, archiveRoom());
      if (missing <= 0 || archive.rowCount === 0) return rows;
      const older = archive.text({ cols: engine.terminal.cols, skip: overlapRows(), take: missing });
      return [...older.rows, ...rows];
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
      const isArchived = archive.rowCount > overlapRows();
      let exhausted = start <= firstLine && !isArchived;
      if (start < firstLine && isArchived) {
        const archiveEnd = Math.min(end, firstLine);
        const older = archive.text({
          cols: engine.terminal.cols,
          skip: archivedThrough - archiveEnd,
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
      scrolls.dispose();
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
