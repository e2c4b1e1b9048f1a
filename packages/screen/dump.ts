// Everything that two screens can be compared by. For tests.

import type { EngineBuffer } from "./engine.ts";
import { rowText } from "./row.ts";
import type { Screen } from "./screen.ts";

/** One string a row of cells, and one for all other state: what differs is readable in a failed comparison. */
export function dumpScreen(screen: Screen, historyRows = 0): string[] {
  const { engine } = screen;
  const { normal, alt, active } = engine.core.buffers;
  const lines = dumpRows(screen, normal, historyRows);
  if (active === alt) lines.push("alternate", ...dumpRows(screen, alt, 0));
  const { modes, options } = engine.terminal;
  const { coreService, coreMouseService, _charsetService: charsets } = engine.core;
  const pen = engine.core._inputHandler._curAttrData;
  lines.push(
    `cursor ${active.x},${active.y} hidden ${coreService.isCursorHidden}`,
    `saved ${Math.min(active.savedX, screen.cols - 1)},${Math.max(0, active.savedY - active.ybase)} ${look(active.savedCurAttrData.fg, active.savedCurAttrData.bg & ~0x30000000, undefined)}`,
    `region ${active.scrollTop},${active.scrollBottom}`,
    `tabs ${Object.keys(active.tabs).filter((column) => Number(column) < screen.cols && active.tabs[Number(column)])}`,
    `pen ${look(pen.fg, pen.bg, pen.extended)} link ${pen.extended.urlId === 0 ? "" : "open"}`,
    `charset ${charsets.glevel} ${charsets._charsets.map((charset) => (charset ? charset.q : ""))}`.replace(
      /[ ,]+$/,
      "",
    ),
    `modes ${JSON.stringify({ ...modes, synchronizedOutputMode: false })} ${options.convertEol} ${options.cursorBlink}`,
    `mouse ${coreMouseService.activeEncoding} style ${coreService.decPrivateModes.cursorStyle} ${coreService.decPrivateModes.cursorBlink}`,
    `unfinished ${engine.core._inputHandler._parser.currentState} ${engine.heldBack()}`,
  );
  return lines;
}

function dumpRows(screen: Screen, buffer: EngineBuffer, historyRows: number): string[] {
  const rows: string[] = [];
  for (let index = Math.max(0, buffer.ybase - historyRows); index < buffer.ybase + screen.rows; index++) {
    const line = buffer.lines.get(index)!;
    let cells = "";
    for (let column = 0; column < line.length; column++) {
      const fg = line._data[column * 3 + 1]!;
      const bg = line._data[column * 3 + 2]!;
      let text = line.getString(column);
      const width = line.getWidth(column);
      const shown =
        text === "" ? look(0, bg & 0x3ffffff, undefined) : look(fg, bg, line._extendedAttrs[column]);
      // A blank and a cell never written look alike, and a wrap that is due cannot be told without printing.
      if (text === " " && shown === "") text = "";
      cells += `${text === "" && width > 0 ? "·" : text}${width === 1 ? "" : width}${shown}`;
    }
    rows.push(`${rowText(line)} | ${cells}`);
  }
  return rows;
}

function look(fg: number, bg: number, extended: { _ext: number; urlId: number } | undefined): string {
  const flags = `${(fg & 0xfc000000) >>> 0 || ""}/${bg & 0x4c000000 || ""}`.replace(/^\/$/, "");
  const parts = [color(fg), color(bg), flags];
  if (extended && bg & 0x10000000 && fg & 0x10000000)
    parts.push(`${(extended._ext >> 26) & 7}${color(extended._ext)}`);
  if (extended && bg & 0x10000000 && extended.urlId) parts.push("link");
  const text = parts.join(",");
  return /^,*$/.test(text) ? "" : `<${text}>`;
}

function color(word: number): string {
  const mode = word & 0x3000000;
  if (mode === 0) return "";
  return mode === 0x3000000 ? `#${(word & 0xffffff).toString(16)}` : `${mode >> 24}:${word & 0xff}`;
}
