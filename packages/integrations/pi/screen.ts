// Pi's rendered screen, read while it says nothing in band: its working line, its composer, and the dialogs of a start.
// Everything is anchored at the live bottom, where the composer's frame and its two lines of facts are: whatever an answer
// prints above is prose. Screens of 1.6.0 and 0.73.1. Pure.
import type { ScreenFinding } from "@kolu/anyagent/plugin.ts";

const RULE = /^─{20,}$/;
/** The composer's upper edge while it works: `── ⠧ Working ────`, `── ⠹ Retrying (2/3) in 4s... (escape to cancel) ──`. */
const WORKING_RULE = /^── [⠀-⣿] (\S.*?) ─{2,}$/;
/** Before 1.0 a paragraph of its own above the composer. One that an answer ends in looks the same, so its words are few. */
const SPINNER_LINE = /^[⠀-⣿] ((?:Working|Retrying|Compacting|Auto-compacting)\b.*\.\.\..*)$/;
/** The last line: what the context holds, and the model. */
const FACTS_LINE = /\d+(\.\d+)?%\/\d\S*( \(auto\))?(\s|$)/;
/** A composer grows with what is typed, up to this. */
const COMPOSER_MAX_LINES = 40;

/** The last line of every list of options: an extension's question, its permission gate, a folder's trust. */
const SELECTOR_FOOTER = /^↑↓ navigate\s+\S+ select\s+\S+ cancel$/;

export function readPiScreen(text: string): ScreenFinding | null {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
  return readDialog(lines.filter((line) => line !== "")) ?? readComposer(lines);
}

function readComposer(lines: readonly string[]): ScreenFinding | null {
  const facts = lines.length - 1;
  const lower = facts - 2;
  if (lower < 1 || !FACTS_LINE.test(lines[facts]!) || !RULE.test(lines[lower]!)) return null;
  const top = Math.max(0, lower - COMPOSER_MAX_LINES);
  for (let at = lower - 1; at >= top; at -= 1) {
    const words = WORKING_RULE.exec(lines[at]!)?.[1];
    if (words !== undefined) return working(words);
    if (RULE.test(lines[at]!)) return readSpinner(lines.slice(0, at)) ?? IDLE;
  }
  return null;
}

const IDLE: ScreenFinding = { name: "idle composer", state: "waiting", awaiting: null };

function readSpinner(above: readonly string[]): ScreenFinding | null {
  const [blank, line = "", below] = above.slice(-3);
  if (blank !== "" || below !== "") return null;
  const words = SPINNER_LINE.exec(line)?.[1];
  return words === undefined ? null : working(words);
}

function working(words: string): ScreenFinding {
  return { name: `working line: ${words}`, state: "thinking", awaiting: null };
}

/** A dialog takes the composer's place, between the same two rules. */
function readDialog(lines: readonly string[]): ScreenFinding | null {
  // Without a session there are no lines of facts below it.
  const end = FACTS_LINE.test(lines.at(-1) ?? "") ? lines.length - 2 : lines.length;
  if (!RULE.test(lines[end - 1] ?? "")) return null;
  const upper = lines.slice(0, end - 1).findLastIndex((line) => RULE.test(line) || WORKING_RULE.test(line));
  const dialog = lines.slice(upper + 1, end - 1);
  const title = dialog[0] ?? "";
  if (/^Resume Session \(/.test(title) && dialog[1]?.startsWith("tab scope") === true) {
    return { name: "session picker", state: "awaiting", awaiting: { kind: "dialog", message: null } };
  }
  if (dialog.length < 3 || !SELECTOR_FOOTER.test(dialog.at(-1)!)) return null;
  const kind = title.startsWith("Trust project folder?") ? "dialog" : "question";
  return { name: "list of options", state: "awaiting", awaiting: { kind, message: title } };
}
