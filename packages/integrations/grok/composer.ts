// What stands in Grok Build's composer, read off the rendered screen. Pure.
//
// Observed on 1.0.41: a frame whose first line begins with `❯`, and below it the keys that work there, or the welcome page's
// footer. A panel lies over both, a question or a gate takes their place. With --minimal there is no frame: a `❯` above the
// line of facts.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { readGrokScreen } from "./screen.ts";

const TOP = /^(\s*)╭─{8,}.*╮$/;
const BOTTOM = /^\s*╰─{8,}.*─╯$/;
/** A long draft has a scroll bar at its right. */
const LINE = /^\s*│ (?:❯ | {2})(.*?)[▁-█]? ?│$/;
const SCROLL_BAR = /[▁-█] ?│$/;
const FIRST_LINE = /^\s*│ ❯ /;
/** Keys and what they do, or the welcome page's footer. A shell's prompt there means that Grok has left. */
const BELOW = /^\s*[A-Za-z/+→]+:[a-z]|Logged in with |\bGrok Build\s+\d/;
/** What stands in it is a suggestion, not a draft. */
const SUGGESTION_KEY = /^\s*Tab\/→:accept suggestion\b/;
const MINIMAL_FOOTER = /^.+ · [\d.]+[KM]? \/ [\d.]+[KM] \(\d+%\) · ctrl\+o transcript$/;

/** A paste of more than a few lines is shown as one mark. */
const FOLDED = /^\[Pasted: \d+ lines\]$/;

export function readGrokComposer(text: string): Composer | null {
  if (readGrokScreen(text)?.state === "awaiting") return null;
  // A scroll bar may stand in the last columns.
  const lines = text
    .split("\n")
    .map((line) => line.replace(/\s+█?\s*$/, ""))
    .filter((line) => line !== "");
  return inFrame(lines) ?? minimal(lines);
}

function inFrame(lines: readonly string[]): Composer | null {
  const bottom = lines.length - 2;
  if (!BOTTOM.test(lines[bottom] ?? "") || !BELOW.test(lines[bottom + 1]!)) return null;
  const top = lines.slice(0, bottom).findLastIndex((line) => TOP.test(line));
  const inside = lines.slice(top + 1, bottom);
  if (top === -1 || !FIRST_LINE.test(inside[0] ?? "")) return null;
  if (SUGGESTION_KEY.test(lines[bottom + 1]!)) return { draft: "", folded: false };
  const composer = joined(inside.map((line) => LINE.exec(line)?.[1] ?? ""));
  return inside.some((line) => SCROLL_BAR.test(line)) ? { ...composer, clipped: true } : composer;
}

function minimal(lines: readonly string[]): Composer | null {
  if (!MINIMAL_FOOTER.test(lines.at(-1) ?? "")) return null;
  const first = lines.findLastIndex((line) => line.startsWith("❯"));
  return first === -1 ? null : joined(lines.slice(first, -1).map((line) => line.slice(2)));
}

function joined(lines: readonly string[]): Composer {
  const draft = lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
  return { draft, folded: FOLDED.test(draft) };
}
