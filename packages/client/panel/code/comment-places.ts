// Which rows a comment is about, and which lines a selection of rows is. Pure.
import type { LineComment } from "./comments.ts";
import type { CodeRow } from "./rows.ts";

export type LinePlace = Pick<LineComment, "side" | "from" | "to" | "quote">;

/**
 * The lines of selected rows. Where any of them is there now, the lines as they are now are meant; else those that were
 * removed. Null when the rows are no lines.
 */
export function placeOf(
  rows: readonly CodeRow[],
  { from, to }: { from: number; to: number },
): LinePlace | null {
  const selected = rows.slice(from, to + 1).filter(({ kind }) => kind !== "gap");
  const now = selected.flatMap(({ newLine }) => (newLine === null ? [] : [newLine]));
  const before = selected.flatMap(({ oldLine }) => (oldLine === null ? [] : [oldLine]));
  const side = now.length > 0 ? "new" : "old";
  const lines = side === "new" ? now : before;
  if (lines.length === 0) return null;
  const quote = selected.map(({ kind, text }) => `${sign(kind, selected)}${text}`).join("\n");
  return { side, from: lines[0]!, to: lines.at(-1)!, quote };
}

/** Signs are only worth their place where something changed. */
function sign(kind: CodeRow["kind"], rows: readonly CodeRow[]): string {
  if (rows.every((row) => row.kind === "line")) return "";
  return kind === "added" ? "+ " : kind === "removed" ? "- " : "  ";
}

export function markedRows(rows: readonly CodeRow[], comments: readonly LineComment[]): Set<number> {
  const marked = new Set<number>();
  if (comments.length === 0) return marked;
  for (const [at, row] of rows.entries())
    if (comments.some((comment) => isAbout(comment, row))) marked.add(at);
  return marked;
}

function isAbout({ side, from, to }: LineComment, { oldLine, newLine }: CodeRow): boolean {
  const line = side === "new" ? newLine : oldLine;
  return line !== null && line >= from && line <= to;
}

/** The row that shows a line as it is now; the nearest before it when that line is not shown. */
export function rowOfLine(rows: readonly CodeRow[], line: number): number | null {
  const exact = rows.findIndex(({ newLine }) => newLine === line);
  if (exact >= 0) return exact;
  const before = rows.findLastIndex(({ newLine }) => newLine !== null && newLine < line);
  return before < 0 ? null : before;
}
