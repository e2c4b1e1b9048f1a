// A change of a file -> the lines that went and came. Pure.
import type { TranscriptEdit } from "@kolu/contract/transcript.ts";
import { structuredPatch } from "diff";

export interface EditLine {
  kind: "kept" | "added" | "removed" | "gap";
  text: string;
}

export interface EditLines {
  lines: EditLine[];
  added: number;
  removed: number;
  /** Changed lines beyond the limit, which are counted above and not among `lines`. */
  leftOut: number;
}

/** Lines around a change that stay for orientation. */
const CONTEXT_LINES = 3;
/** Lines of one edit that are shown: a longer one is a generated file, which nobody reads. */
const EDIT_MAX_LINES = 2_000;
/** Beyond so many changed lines the shortest way from one text to the other is not worth its search. */
const DIFF_MAX_CHANGES = 4_000;

export function editLines({ before, after }: TranscriptEdit): EditLines {
  const all = before === null ? linesOf(after, "added") : changedLines(before, after);
  const count = (kind: EditLine["kind"]): number => all.filter((line) => line.kind === kind).length;
  return {
    lines: all.slice(0, EDIT_MAX_LINES),
    added: count("added"),
    removed: count("removed"),
    leftOut: Math.max(0, all.length - EDIT_MAX_LINES),
  };
}

function changedLines(before: string, after: string): EditLine[] {
  const limits = { context: CONTEXT_LINES, maxEditLength: DIFF_MAX_CHANGES };
  const patch = structuredPatch("", "", before, after, undefined, undefined, limits);
  if (patch === undefined) return [...linesOf(before, "removed"), ...linesOf(after, "added")];
  return patch.hunks.flatMap((hunk, index): EditLine[] => {
    const gap: EditLine[] = index === 0 ? [] : [{ kind: "gap", text: "" }];
    return [...gap, ...hunk.lines.flatMap(patchLine)];
  });
}

function patchLine(line: string): EditLine[] {
  const text = line.slice(1);
  switch (line[0]) {
    case "+":
      return [{ kind: "added", text }];
    case "-":
      return [{ kind: "removed", text }];
    case " ":
      return [{ kind: "kept", text }];
    default:
      // "\ No newline at end of file": an edit is a passage of a file and ends where it ends.
      return [];
  }
}

function linesOf(text: string, kind: "added" | "removed"): EditLine[] {
  if (text === "") return [];
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({ kind, text: line }));
}
