// What stands in Claude Code's composer, read off the rendered screen. Pure.
//
// Observed on 2.1.197 and 2.1.332: the composer lies between the two lowest rules of the screen, begins with `❯` and a
// no-break space, and goes on with indented lines. A dialog takes its place, so that without it nothing can be typed.
import type { Composer } from "@kolu/anyagent/plugin.ts";

/** The upper rule may carry the session's name near its end. */
const RULE = /^─{8,}( .* ─+)?\s*$/;
const FIRST_LINE = /^❯(?:[\s\u00a0]|$)/;
/** Below the composer: hints, the mode, agents at work, a list of completions. */
const FOOTER_LINES_MAX = 20;

/** Greyed words in an empty composer; their colour is not in the text. */
const GHOSTS: readonly RegExp[] = [
  /^Press up to edit queued messages$/,
  // The words of the release's own text; a suggestion is always of this form.
  /^Try "[^"]*"$/,
];

/** More than a few lines of paste are shown as one mark (2.1.332: from 4 line breaks on). */
const FOLDED = /^\[Pasted text #\d+( \+\d+ lines)?\]$/;

export function readClaudeComposer(text: string): Composer | null {
  const lines = text.split("\n");
  const lower = lines.findLastIndex((line) => RULE.test(line));
  if (lower <= 0) return null;
  const below = lines.slice(lower + 1).filter((line) => line.trim() !== "");
  if (below.length > FOOTER_LINES_MAX) return null;
  const upper = lines.slice(0, lower).findLastIndex((line) => RULE.test(line));
  if (upper === -1) return null;
  const [first = "", ...rest] = lines.slice(upper + 1, lower);
  if (!FIRST_LINE.test(first)) return null;
  const shown = [first.slice(2), ...rest.map((line) => line.replace(/^ {2}/, ""))].map((line) =>
    line.trimEnd(),
  );
  const draft = shown.join("\n").trimEnd();
  if (GHOSTS.some((ghost) => ghost.test(draft))) return { draft: "", folded: false };
  return { draft, folded: FOLDED.test(draft) };
}
