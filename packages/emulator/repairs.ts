// Faults of xterm.js 6.0.0 that a program's output can reach, mended by handlers that run before its own. One engine serves
// daemon and page, so both are mended here.

interface Line {
  isWrapped: boolean;
}

/** What the mends need of the emulator's private objects; the daemon's `engine.test.ts` fails when they move. */
export interface EmulatorCore {
  buffers: {
    active: { x: number; y: number; ybase: number; lines: { get(index: number): Line | undefined } };
  };
  _inputHandler: {
    _eraseInBufferLine(
      row: number,
      start: number,
      end: number,
      clearWrap: boolean,
      respectProtect: boolean,
    ): void;
    _resetBufferLine(row: number, respectProtect: boolean): void;
  };
}

export interface Emulator {
  readonly cols: number;
  readonly parser: {
    registerCsiHandler(
      id: { prefix?: string; final: string },
      handler: (parameters: (number | number[])[]) => boolean,
    ): unknown;
  };
}

export function repair(terminal: Emulator, core: EmulatorCore): void {
  // "Erase above" with the cursor in the last column touches the row below by a wrong index and throws when there is
  // none: `CSI 24;80 H CSI 1 J` ended the parser for good.
  for (const prefix of [undefined, "?"] as const) {
    const id = prefix === undefined ? { final: "J" } : { prefix, final: "J" };
    terminal.parser.registerCsiHandler(id, (parameters) => {
      const buffer = core.buffers.active;
      if (parameters[0] !== 1 || buffer.x + 1 < terminal.cols) return false;
      const respectProtect = prefix === "?";
      core._inputHandler._eraseInBufferLine(buffer.y, 0, terminal.cols, true, respectProtect);
      for (let row = 0; row < buffer.y; row++) core._inputHandler._resetBufferLine(row, respectProtect);
      const below = buffer.lines.get(buffer.ybase + buffer.y + 1);
      if (below) below.isWrapped = false;
      return true;
    });
  }
}
