// What stands in Pi's composer, read off the rendered screen. Pure.
//
// Observed on 1.6.0 and 0.73.1: the composer lies between two rules above the two lines of facts. The upper rule says what Pi
// works on; a rule says how much of a long draft is out of sight beyond it. A list of options takes its place.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { readPiScreen } from "./screen.ts";

const RULE = /^─{8,}$/;
const UPPER_RULE = /^─{2,} (?:[⠀-⣿] \S.*|↑ \d+ more) ─{2,}$/;
const LOWER_RULE = /^─{2,} ↓ \d+ more ─{2,}$/;
const CLIPPING_RULE = / [↑↓] \d+ more /;
/** However low the terminal is; a higher one shows more. */
const LINES_SHOWN_MIN = 5;
/** The last line: what the context holds, and the model. */
const FACTS_LINE = /\d+(\.\d+)?%\/\d\S*( \(auto\))?(\s|$)/;
/** The two lines of facts, and a list of completions above them. */
const LINES_BELOW_MAX = 12;
/** More than ten lines, or a thousand characters, of paste are shown as one mark. */
const FOLDED = /^\[paste #\d+ (?:\+\d+ lines|\d+ chars)\]$/;

export function readPiComposer(text: string): Composer | null {
  if (readPiScreen(text)?.state === "awaiting") return null;
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  const lower = lines.findLastIndex((line) => isRule(line, LOWER_RULE));
  const belowCount = lines.length - 1 - lower;
  if (lower < 1 || belowCount > LINES_BELOW_MAX || !FACTS_LINE.test(lines.at(-1)!)) return null;
  const upper = lines.slice(0, lower).findLastIndex((line) => isRule(line, UPPER_RULE));
  if (upper === -1) return null;
  const shown = lines.slice(upper + 1, lower);
  const draft = shown.join("\n").trimEnd();
  // While it works the upper rule says that instead.
  const clipped =
    CLIPPING_RULE.test(lines[upper]!) ||
    CLIPPING_RULE.test(lines[lower]!) ||
    (!RULE.test(lines[upper]!) && shown.length >= LINES_SHOWN_MIN);
  return { draft, folded: FOLDED.test(draft.trim()), ...(clipped ? { clipped } : {}) };
}

function isRule(line: string, named: RegExp): boolean {
  return RULE.test(line) || named.test(line);
}
