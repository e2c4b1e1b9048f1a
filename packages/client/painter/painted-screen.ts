// One terminal in the painting worker: its emulator, and the canvas that shows its screen. Rows that did not change are
// not painted again.
import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import type { Grid } from "../terminal/geometry.ts";
import { OutputQueue } from "../terminal/output-queue.ts";
import { type CellBox, cellBoxOf, type Drawing, rowSpan } from "./cell-box.ts";
import { createEngine } from "./engine.ts";
import { glyphsFor } from "./glyph-shelf.ts";
import type { ScreenNews } from "./messages.ts";
import { paletteOf } from "./palette.ts";
import { trackProgramColors } from "./program-colors.ts";
import { RowRaster } from "./raster.ts";
import { paintRow } from "./row.ts";
import { RowMemory } from "./row-memory.ts";

export interface PaintedScreenStart {
  id: number;
  canvas: OffscreenCanvas;
  scheme: TerminalColorScheme;
  grid: Grid;
  drawing: Drawing;
}

/** Output gathers for a moment before it is parsed: many small pieces cost more than one. */
const GATHER_MS = 30;
/** Text that a reader of the page gets follows the picture at this distance. */
const TEXT_EVERY_MS = 400;

export interface PaintedScreen {
  write(bytes: Uint8Array): void;
  reset(grid: Grid): void;
  resize(grid: Grid): void;
  draw(drawing: Drawing): void;
  setColors(scheme: TerminalColorScheme): void;
  /** Everything is painted anew: fonts arrived, or the browser took the canvas' memory. */
  forgetPainted(): void;
  /** Paints what changed; what there is to tell of it, or null. */
  paint(nowMs: number): ScreenNews | null;
  /** When it wants to be painted at the latest; null: nothing is due. */
  dueAtMs(nowMs: number): number | null;
  dispose(): void;
}

export function createPaintedScreen(
  start: PaintedScreenStart,
  events: { onDue(): void; onOsc52(payload: string): void },
): PaintedScreen {
  const { id, canvas } = start;
  const context = canvas.getContext("2d", { alpha: false })!;
  const engine = createEngine(start.grid);
  let { drawing, scheme } = start;
  let box: CellBox = cellBoxOf(start.grid, drawing);
  const memory = new RowMemory();
  let raster: RowRaster | null = null;
  let dirty = true;
  let beginnings = 0;
  let consumed = 0;
  let news = false;
  let text: string | null = null;
  let textStale = false;
  let textAtMs = -Infinity;

  const colors = trackProgramColors(engine, paletteOf(scheme), repaint);
  engine.onOsc(52, (payload) => {
    events.onOsc52(payload);
    return true;
  });

  function changed(): void {
    dirty = news = textStale = true;
    events.onDue();
  }
  function repaint(): void {
    memory.forget();
    dirty = true;
    events.onDue();
  }
  function show(grid: Grid): void {
    engine.resize(grid);
    layOut();
    changed();
  }
  function layOut(): void {
    box = cellBoxOf(engine.grid(), drawing);
    if (canvas.width !== box.canvas.w || canvas.height !== box.canvas.h) {
      canvas.width = box.canvas.w;
      canvas.height = box.canvas.h;
    }
    raster = null;
    repaint();
  }

  const output = new OutputQueue({
    write: (bytes, done) => engine.write(bytes, done),
    resize: show,
    reset(grid) {
      engine.reset();
      colors.reset();
      show(grid);
    },
  });
  output.setGatherMs(GATHER_MS);
  layOut();
  canvas.addEventListener("contextrestored", repaint);

  function paintRows(): void {
    const glyphs = glyphsFor(box);
    const palette = colors.palette();
    const cursor = engine.cursor();
    for (let row = 0; row < box.grid.rows; row++) {
      const line = engine.row(row);
      const cursorCol = cursor?.row === row ? cursor.col : null;
      if (!line || !memory.isNews(row, line, cursorCol)) continue;
      const { top, height } = rowSpan(box, row);
      if (raster?.h !== height) raster = new RowRaster(box.canvas.w, height);
      paintRow(raster, { line, cols: box.grid.cols, cursorCol }, { box, glyphs, palette });
      context.putImageData(raster.image, 0, top);
    }
  }

  /** The screen's text where a reader does not have it yet; a busy screen is read only now and then. */
  function newText(nowMs: number): string | null {
    if (!textStale || nowMs < textAtMs + TEXT_EVERY_MS) return null;
    textStale = false;
    textAtMs = nowMs;
    const rows = Array.from(
      { length: box.grid.rows },
      (_, row) => engine.row(row)?.translateToString(true) ?? "",
    );
    const now = rows.join("\n").trimEnd();
    if (now === text) return null;
    text = now;
    return now;
  }

  return {
    write(bytes) {
      const beginning = beginnings;
      output.write(bytes, () => {
        if (beginning !== beginnings) return;
        consumed += 1;
        changed();
      });
    },
    reset(grid) {
      beginnings += 1;
      consumed = 0;
      output.reset(grid);
    },
    resize: (grid) => output.resize(grid),
    draw(next) {
      drawing = next;
      layOut();
    },
    setColors(next) {
      scheme = next;
      colors.setScheme(paletteOf(scheme));
      repaint();
    },
    forgetPainted: repaint,
    paint(nowMs) {
      if (dirty) paintRows();
      dirty = false;
      const told = newText(nowMs);
      if (!news && told === null) return null;
      news = false;
      return { id, beginnings, consumed, grid: engine.grid(), text: told };
    },
    dueAtMs(nowMs) {
      if (dirty || news) return nowMs;
      return textStale ? Math.max(nowMs, textAtMs + TEXT_EVERY_MS) : null;
    },
    dispose() {
      output.end();
      engine.dispose();
      canvas.width = canvas.height = 0;
    },
  };
}
