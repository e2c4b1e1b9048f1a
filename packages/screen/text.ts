// The rendered text of a screen.
import type { Extent } from "@kolu/contract/kaval.ts";
import { SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import type { Engine } from "./engine.ts";
import { rowText } from "./row.ts";
import type { Scrollback } from "./scrollback.ts";

/** Rows joined by LF. Only the rows that `extent` needs are rendered. */
export function screenText(engine: Engine, scrollback: Scrollback, extent: Extent): string {
  switch (extent.kind) {
    case "all":
      return [...scrollback.newestText(SCROLLBACK_LINES), ...visibleRows(engine)].join("\n");
    case "screen":
      return visibleRows(engine).join("\n");
    case "tail":
      return tail(engine, scrollback, extent.lines).join("\n");
    default:
      return extent satisfies never;
  }
}

function visibleRows(engine: Engine): string[] {
  const { active } = engine.core.buffers;
  const rows: string[] = [];
  for (let row = 0; row < engine.terminal.rows; row++)
    rows.push(rowText(active.lines.get(active.ybase + row)!));
  return rows;
}

/** The last rows after the trailing run of blank ones; blank rows inside stay. */
function tail(engine: Engine, scrollback: Scrollback, count: number): string[] {
  const rows = dropBlankEnd(visibleRows(engine));
  if (rows.length >= count) return rows.slice(rows.length - count);
  if (rows.length > 0) return [...scrollback.newestText(count - rows.length), ...rows];
  // The whole screen is blank: the end lies in the history. Ask for more until it is found.
  for (let asked = count; ; asked *= 4) {
    const older = scrollback.newestText(asked);
    const found = dropBlankEnd(older);
    if (found.length >= count || older.length < asked || asked >= SCROLLBACK_LINES)
      return found.slice(Math.max(0, found.length - count));
  }
}

function dropBlankEnd(rows: string[]): string[] {
  let end = rows.length;
  while (end > 0 && rows[end - 1]!.trim() === "") end--;
  return rows.slice(0, end);
}
