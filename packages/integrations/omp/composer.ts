// What stands in Oh My Pi's composer, read off the rendered screen. Pure.
//
// Observed on 18.2.3: below a bar of facts the draft's first line behind `╰─`, further ones indented by three columns, at the
// very bottom of the screen or above a list of completions. A dialog takes its place.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { readOmpScreen } from "./screen.ts";

const BAR = /^ ?(?:[⠀-⣿|/\\-](?: \d+[hms])+|\S) > /;
const FIRST_LINE = /^(?:╰─|\+-)(?: |$)/;
const FURTHER_LINE = /^(?: {3}|$)/;
const COMPLETIONS = /^❯ /;
/** More than ten lines, or a long one, of paste are shown as one mark, with a picture of them above the bar. */
const FOLDED = /^📄 #\d+$/u;

export function readOmpComposer(text: string): Composer | null {
  if (readOmpScreen(text)?.state === "awaiting") return null;
  const lines = text.trimEnd().split("\n");
  const bar = lines.findLastIndex((line) => BAR.test(line));
  const [first = "", ...further] = lines.slice(bar + 1);
  if (bar === -1 || !FIRST_LINE.test(first)) return null;
  const end = further.findIndex((line) => !FURTHER_LINE.test(line));
  // Anything else below it is a shell's: the agent has left.
  if (end !== -1 && !COMPLETIONS.test(further[end]!)) return null;
  const shown = [first, ...(end === -1 ? further : further.slice(0, end))];
  const draft = shown
    .map((line) => line.slice(3).trimEnd())
    .join("\n")
    .trimEnd();
  return { draft, folded: FOLDED.test(draft) };
}
