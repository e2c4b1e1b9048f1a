// A file or a difference as rows of code, which one component draws. Pure.
import type { GitDiff } from "@kolu/contract/project.ts";
import { parsePatch } from "diff";

export interface CodeRow {
  kind: "line" | "added" | "removed" | "gap";
  /** Line before and after the change, from 1 on; null where there is none. In a file both are the same. */
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** A longer line is shown up to here: nobody reads it, and it would make every line as wide. */
export const LINE_MAX_CHARS = 4_000;

export function fileRows(content: string): CodeRow[] {
  const lines = content.split("\n");
  // A newline at the end ends the last line and begins none.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) => ({
    kind: "line",
    oldLine: at + 1,
    newLine: at + 1,
    text: line.endsWith("\r") ? line.slice(0, -1) : line,
  }));
}

export function diffRows({ hunks }: GitDiff): CodeRow[] {
  const rows: CodeRow[] = [];
  for (const patch of parsePatch(hunks.join("\n")))
    for (const hunk of patch.hunks) {
      let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
      rows.push({
        kind: "gap",
        oldLine: null,
        newLine: null,
        text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      });
      for (const line of hunk.lines) {
        const [sign, text] = [line[0], line.slice(1)];
        if (sign === "+") rows.push({ kind: "added", oldLine: null, newLine: newLine++, text });
        else if (sign === "-") rows.push({ kind: "removed", oldLine: oldLine++, newLine: null, text });
        else if (sign === " ") rows.push({ kind: "line", oldLine: oldLine++, newLine: newLine++, text });
        else rows.push({ kind: "gap", oldLine: null, newLine: null, text: line.replace(/^\\ /, "") });
      }
    }
  return rows;
}

export function changeCounts(rows: readonly CodeRow[]): { added: number; removed: number } {
  return {
    added: rows.filter(({ kind }) => kind === "added").length,
    removed: rows.filter(({ kind }) => kind === "removed").length,
  };
}

/** Columns of the widest line as it is shown, wide characters counted twice. */
export function widestCols(rows: readonly CodeRow[]): number {
  let widest = 0;
  for (const { text } of rows) {
    let cols = 0;
    for (let at = 0; at < text.length && at < LINE_MAX_CHARS; at++) {
      const code = text.charCodeAt(at);
      cols += code === 9 ? TAB_COLS : code >= FIRST_WIDE ? 2 : 1;
    }
    widest = Math.max(widest, cols);
  }
  return widest;
}

export const TAB_COLS = 4;
/** Hangul Jamo and all that follows it may be wide; too wide a page only scrolls further. */
const FIRST_WIDE = 0x1100;

/** The text of one side, to be coloured as a whole, and at which row each of its lines is. */
export function sideOf(rows: readonly CodeRow[], side: "old" | "new"): { text: string; rowOf: number[] } {
  const left = side === "old" ? "added" : "removed";
  const rowOf: number[] = [];
  const lines: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (row.kind === "gap" || row.kind === left) continue;
    rowOf.push(at);
    lines.push(row.text);
  }
  return { text: lines.join("\n"), rowOf };
}
