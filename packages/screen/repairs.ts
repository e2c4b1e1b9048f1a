// Faults of the emulator (@xterm 6.0.0) that a program's output can reach, mended by handlers that run before its own.
import type { Engine } from "./engine.ts";

export function repair(engine: Engine): void {
  const { terminal, core } = engine;

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
