// What stands in OpenCode's composer, read off the rendered screen. Pure.
//
// Observed on 1.18.33: a block behind a thick bar that ends in a rule of half blocks. Its last line names the agent and the
// model; between that and the block's first line, each with a blank one beside it, stands the draft. A gate or a question
// takes its place, a list lies over it.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { readOpencodeScreen } from "./screen.ts";

const END = /^(\s*)╹(▀{10,})/;
/** Below it: what runs, the directory and keys (two lines where they do not fit), on the start page a tip and the version. */
const LINES_BELOW_MAX = 5;
/** Greyed words on the start page, with one of several suggestions. */
const PLACEHOLDER = /^Ask anything… ".*"$/;
/** More than a few lines, or a long one, are shown as one mark. */
const FOLDED = /^\[Pasted ~\d+ lines\]$/;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/gu;

export function readOpencodeComposer(text: string): Composer | null {
  if (readOpencodeScreen(text)?.state === "awaiting") return null;
  const lines = text.split("\n");
  const end = lines.findLastIndex((line) => END.test(line));
  if (end === -1) return null;
  const below = lines.slice(end + 1).filter((line) => line.trim() !== "");
  if (below.length === 0 || below.length > LINES_BELOW_MAX) return null;
  const [, margin = "", rule = ""] = END.exec(lines[end]!)!;
  const bar = `${margin}┃`;
  // A list of completions above it has such a bar too, and begins a column further to the left.
  const first = lines.slice(0, end).findLastIndex((line) => line !== bar && !line.startsWith(`${bar}  `)) + 1;
  // A blank line, the draft, a blank line, the agent and its model.
  const block = lines.slice(first, end).map((line) => within(line, bar, rule.length));
  if (block.length < 4 || block[0] !== "" || block.at(-2) !== "" || block.at(-1) === "") return null;
  const draft = block
    .slice(1, -2)
    .map((line) => line.replace(/^ {2}/, ""))
    .join("\n")
    .trimEnd();
  if (PLACEHOLDER.test(draft)) return { draft: "", folded: false };
  return { draft, folded: FOLDED.test(draft) };
}

/** Over 120 columns a sidebar goes on beside the composer. */
function within(line: string, bar: string, widthCols: number): string {
  const inside = line.slice(bar.length);
  const wideCount = inside.match(WIDE)?.length ?? 0;
  return inside.slice(0, widthCols - wideCount).trimEnd();
}
