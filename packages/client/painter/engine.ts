// The emulator of the painting worker: the same engine as the live terminal's, without a face. The one file of the page
// that knows @xterm/headless and its insides (6.0.0).
import "./worker-window.ts";
import { type EmulatorCore, repair } from "@kolu/emulator/repairs.ts";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { type ITerminalAddon, Terminal } from "@xterm/headless";
import type { Grid } from "../terminal/geometry.ts";

export interface EngineLine {
  /** Three words a cell: content, foreground, background. */
  _data: Uint32Array;
  _combined: Record<number, string | undefined>;
  /** `_ext`: underline style in bits 27-29, underline colour in the bits of a colour word. */
  _extendedAttrs: Record<number, { _ext: number } | undefined>;
  readonly length: number;
  translateToString(trimRight: boolean): string;
}

interface EngineCore extends EmulatorCore {
  coreService: { isCursorHidden: boolean; isCursorInitialized: boolean };
}

/** Rows of history, so that a screen that grows takes back the same rows as everywhere else. */
const PAINTED_HISTORY_LINES = 200;

export interface Engine {
  write(bytes: Uint8Array, done: () => void): void;
  resize(grid: Grid): void;
  reset(): void;
  grid(): Grid;
  row(row: number): EngineLine | undefined;
  /** Null while it is hidden. */
  cursor(): { row: number; col: number } | null;
  onOsc(code: number, handler: (payload: string) => boolean): void;
  dispose(): void;
}

export function createEngine(grid: Grid): Engine {
  const terminal = new Terminal({
    allowProposedApi: true,
    cols: grid.cols,
    rows: grid.rows,
    scrollback: PAINTED_HISTORY_LINES,
    logLevel: "off",
  });
  // Its types are those of the emulator with a face; it uses nothing of the face.
  terminal.loadAddon(new UnicodeGraphemesAddon() as unknown as ITerminalAddon);
  terminal.unicode.activeVersion = "15-graphemes";
  const core = (terminal as unknown as { _core: EngineCore })._core;
  repair(terminal, core);
  return {
    write: (bytes, done) => terminal.write(bytes, done),
    resize({ cols, rows }) {
      if (cols !== terminal.cols || rows !== terminal.rows) terminal.resize(cols, rows);
    },
    reset: () => terminal.reset(),
    grid: () => ({ cols: terminal.cols, rows: terminal.rows }),
    row(row) {
      const { lines, ybase } = core.buffers.active;
      return lines.get(ybase + row) as EngineLine | undefined;
    },
    cursor() {
      if (core.coreService.isCursorHidden) return null;
      const { x, y } = core.buffers.active;
      return { row: y, col: Math.min(x, terminal.cols - 1) };
    },
    onOsc: (code, handler) => void terminal.parser.registerOscHandler(code, handler),
    dispose: () => terminal.dispose(),
  };
}
