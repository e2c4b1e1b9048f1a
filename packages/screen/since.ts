// What was printed since a place, as far as it is still shown: for whoever looks for words whose bytes are gone by now.
import type { Engine } from "./engine.ts";
import { rowText } from "./row.ts";
import type { Scrollback } from "./scrollback.ts";

/** Where the cursor of the normal screen stood. */
export interface Place {
  /** Absolute number of its row. */
  line: number;
  /** So many characters of that row stood before it. */
  charsBefore: number;
  /** Rows are numbered anew when lines are laid out for another width. */
  epoch: number;
}

export function placeNow({ terminal }: Engine, scrollback: Scrollback): Place {
  const { baseY, cursorX, cursorY } = terminal.buffer.normal;
  const row = terminal.buffer.normal.getLine(baseY + cursorY);
  return {
    line: scrollback.topLine + cursorY,
    charsBefore: row?.translateToString(false, 0, cursorX).length ?? 0,
    epoch: scrollback.epoch,
  };
}

/**
 * Rows from there to the end, the first without what stood in it; of the alternate screen all. A program that has gone
 * back up since has painted the screen anew: then all of it counts. Null when the place has no meaning any more.
 */
export function rowsSince(engine: Engine, scrollback: Scrollback, place: Place): string[] | null {
  if (place.epoch !== scrollback.epoch) return null;
  const { normal, active } = engine.core.buffers;
  const top = scrollback.topLine;
  const wentBack = top + normal.y < place.line;
  const from = wentBack ? top : place.line;
  const above = from < top ? scrollback.newestText(top - from) : [];
  const isWhole = above.length >= top - from;
  const rows = [...above];
  for (let line = Math.max(from, top); line < top + engine.terminal.rows; line++)
    rows.push(rowText(normal.lines.get(normal.ybase + line - top)!));
  if (isWhole && !wentBack && rows.length > 0) rows[0] = rows[0]!.slice(place.charsBefore);
  if (active === normal) return rows;
  for (let row = 0; row < engine.terminal.rows; row++)
    rows.push(rowText(active.lines.get(active.ybase + row)!));
  return rows;
}
