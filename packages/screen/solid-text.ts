// The text of a screen without what is drawn faint (SGR 2): programs put suggestions and hints that way, in places where a
// person's own text would stand.
import { createScreen } from "./screen.ts";

/** In the background word of a cell: xterm.js 6.0.0, `BgFlags.DIM`. */
const FAINT = 0x8000000;
const COLORS = { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" };

/**
 * Rows joined by LF, a blank for each faint column, trailing blanks dropped.
 * @param vt what `snapshot` gives: it draws the screen in a fresh emulator of this grid
 */
export function solidText(vt: Uint8Array, { cols, rows }: { cols: number; rows: number }): string {
  let fault: unknown = null;
  const screen = createScreen({
    cols,
    rows,
    colors: COLORS,
    version: "",
    onReply: () => {},
    onFault: (error) => {
      fault = error;
    },
  });
  try {
    screen.write(vt);
    if (fault !== null) throw fault;
    const { active } = screen.engine.core.buffers;
    const texts: string[] = [];
    for (let row = 0; row < rows; row++) {
      const line = active.lines.get(active.ybase + row)!;
      let text = "";
      for (let column = 0; column < line.length; column++) {
        const widthCols = line.getWidth(column);
        // The second column of a wide character.
        if (widthCols === 0) continue;
        const faint = (line._data[column * 3 + 2]! & FAINT) !== 0;
        text += faint ? " ".repeat(widthCols) : line.getString(column) || " ";
      }
      texts.push(text.trimEnd());
    }
    return texts.join("\n");
  } finally {
    screen.dispose();
  }
}
