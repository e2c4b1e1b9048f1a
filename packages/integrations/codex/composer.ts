// What stands in Codex's composer, read off the rendered screen. Pure.
//
// Observed on 0.171.0: the composer begins with `›` in the first column, goes on with lines indented by two columns, and ends
// at the blank line above the line of facts (model, directory, title). A dialog takes the place of both.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { readCodexScreen } from "./screen.ts";

const FIRST_LINE = /^›(?: |$)/;
const FURTHER_LINE = /^(?: {2}|$)/;
/** Model and directory, then a line of hints. Without them (before a folder is trusted) nothing may be typed yet; a shell's
 * prompt instead of them means that Codex has left. */
const FACTS_LINE = /^ {2}\S.* · /;

/** Greyed words in an empty composer. Others are told by being drawn faint. */
const PLACEHOLDER = "Ask Codex to do anything";

/** A paste of more than a thousand characters is shown as one mark. */
const FOLDED = /^\[Pasted Content \d+ chars\](?: #\d+)?$/;

export function readCodexComposer(text: string): Composer | null {
  if (readCodexScreen(text)?.state === "awaiting") return null;
  const lines = text.trimEnd().split("\n");
  const first = lines.findLastIndex((line) => FIRST_LINE.test(line));
  const blank = lines.findLastIndex((line) => line.trim() === "");
  if (first === -1 || blank <= first) return null;
  const [facts = "", ...hints] = lines.slice(blank + 1);
  if (!FACTS_LINE.test(facts) || !hints.every((line) => FURTHER_LINE.test(line))) return null;
  const shown = lines.slice(first, blank);
  if (!shown.slice(1).every((line) => FURTHER_LINE.test(line))) return null;
  const draft = shown
    .map((line) => line.slice(2).trimEnd())
    .join("\n")
    .trimEnd();
  if (draft === PLACEHOLDER) return { draft: "", folded: false };
  return { draft, folded: FOLDED.test(draft) };
}
