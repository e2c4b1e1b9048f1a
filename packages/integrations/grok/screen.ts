// Grok Build's screen: read before a session is known, while a request waits for its first token, and while something runs
// that its events do not tell (compaction). Every recogniser is anchored at the live bottom: above the composer, whatever an
// answer prints is prose. Seen on 1.0.41, fullscreen and inline. Pure.
import type { ScreenFinding } from "@kolu/anyagent/plugin.ts";

/** Lines of a dialog's block that are looked at, from its end. */
const DIALOG_LINES = 40;

export function readGrokScreen(text: string): ScreenFinding | null {
  // A scroll bar may stand in the last columns.
  const lines = text
    .split("\n")
    .map((line) => line.replace(/\s+█?\s*$/, ""))
    .filter((line) => line !== "");
  return (
    readTrust(lines) ??
    readSignIn(lines) ??
    readModal(lines) ??
    readOptions(lines) ??
    readComposer(lines) ??
    readMinimal(lines)
  );
}

function awaiting(name: string, kind: string, message: string | null): ScreenFinding {
  return { name, state: "awaiting", awaiting: { kind, message } };
}

// ---- dialogs that take the composer's place

/** A block behind a thick bar with options, keys for them on the last line (none with --minimal): no composer is there. */
const BAR = /^\s*┃/;
const OPTION = /^\s*┃\s+\S \([○●]\) \S/;
const OPTION_KEYS = /^\s*(\d+\/\d+:select|Tab:next (answer|option))\b/;

function readOptions(lines: readonly string[]): ScreenFinding | null {
  const end = OPTION_KEYS.test(lines.at(-1) ?? "") ? lines.length - 1 : lines.length;
  const start = lines.slice(0, end).findLastIndex((line) => !BAR.test(line)) + 1;
  const block = lines.slice(Math.max(start, end - DIALOG_LINES), end);
  const options = block.filter((line) => OPTION.test(line));
  if (options.length < 2) return null;
  const message = textOf(block.find((line) => textOf(line) !== null));
  const isQuestion =
    /^\s*◆ Waiting on answers for /.test(lines[start - 1] ?? "") ||
    block.some((line) => /Enter:(submit|select)$/.test(line));
  return isQuestion ? awaiting("question", "question", message) : awaiting("gate", "permission", message);
}

function textOf(line: string | undefined): string | null {
  return line?.replace(BAR, "").trim() || null;
}

/** Pickers and settings lie over everything; the line of keys below the composer is gone while they do. */
const MODAL_TOP = /┌─ (.+?) ─+ \[✗\] ─┐/;
const MODAL_BOTTOM = /└─{10,}┘/;

function readModal(lines: readonly string[]): ScreenFinding | null {
  if (!/[╯┘]$/.test(lines.at(-1) ?? "")) return null;
  const top = lines.findLastIndex((line) => MODAL_TOP.test(line));
  if (top < 0 || !lines.slice(top + 1).some((line) => MODAL_BOTTOM.test(line))) return null;
  return awaiting("panel", "dialog", lines[top]!.match(MODAL_TOP)![1]!);
}

// ---- before a session: the program's name and version are the last line

const WELCOME_FOOTER = /\bGrok Build\s+\d+\.\d+/;
const TRUST_QUESTION = "Do you trust the contents of this directory?";

function readTrust(lines: readonly string[]): ScreenFinding | null {
  if (!WELCOME_FOOTER.test(lines.at(-1) ?? "")) return null;
  const asks = lines.slice(-12).some((line) => line.trim() === TRUST_QUESTION);
  const answers = lines.slice(-4).some((line) => /^\s*Yes, proceed\s+y$/.test(line));
  return asks && answers ? awaiting("trust", "dialog", TRUST_QUESTION) : null;
}

function readSignIn(lines: readonly string[]): ScreenFinding | null {
  if (!WELCOME_FOOTER.test(lines.at(-1) ?? "")) return null;
  const offers = lines.slice(-12).some((line) => /^\s*Login with \S.*\s+l$/.test(line));
  return offers ? awaiting("sign-in", "dialog", "Login with Grok") : null;
}

// ---- the composer and what stands right above it

const COMPOSER_TOP = /^\s*╭─{8,}.*╮$/;
const COMPOSER_BOTTOM = /^\s*╰─{8,}.*─╯$/;
/** Keys and what they do, or the welcome screen's footer. A shell's prompt there means that Grok has left. */
const BELOW_COMPOSER = /^\s*[A-Za-z/+→]+:[a-z]|Logged in with |\bGrok Build\s+\d/;
/** In the composer's frame where it is wide enough, else the keys below it tell. */
const PLAN_APPROVAL = / · plan approval ─╯$/;
const PLAN_KEYS = /\ba:approve\b.*\bq:quit plan\b/;
/** The time it takes, the tokens, and a button at the end of the line: nothing else is laid out like it. */
const WORKING = /^\s*[⠀-⣿] .+\s\d[\d.]*m?s( ⇣\S+)? (\[↓\])?\[stop\]$/;
const WAITING_ON_PERSON = /^\s*◆ .+\[stop\]$/;
/** Commands in the background have such a line too, which does not mean that the agent works. */
const CHILDREN = /^\s*◎ \d+ subagents? still running$/;

function readComposer(lines: readonly string[]): ScreenFinding | null {
  const bottom = lines.length - 2;
  if (!COMPOSER_BOTTOM.test(lines[bottom] ?? "") || !BELOW_COMPOSER.test(lines[bottom + 1]!)) return null;
  if (PLAN_APPROVAL.test(lines[bottom]!) || PLAN_KEYS.test(lines[bottom + 1] ?? ""))
    return awaiting("plan approval", "plan", null);
  const top = lines.slice(0, bottom).findLastIndex((line) => COMPOSER_TOP.test(line));
  if (top < 0) return null;
  // A tip may stand between them.
  const above = lines.slice(Math.max(0, top - 2), top);
  const shows = (pattern: RegExp) => above.some((line) => pattern.test(line));
  if (shows(WORKING)) return { name: "working line", state: "thinking", awaiting: null };
  // A dialog is being built up or taken down.
  if (shows(WAITING_ON_PERSON)) return null;
  if (shows(CHILDREN)) return { name: "children line", state: "background", awaiting: null };
  return { name: "composer", state: "waiting", awaiting: null };
}

// ---- --minimal: no frames, a prompt between a line of state and a footer

const MINIMAL_FOOTER = /^.+ · [\d.]+[KM]? \/ [\d.]+[KM] \(\d+%\) · ctrl\+o transcript$/;
const MINIMAL_WORKING = /^[⠀-⣿] .+\s\d[\d.]*m?s( ⇣\S+)?$/;

function readMinimal(lines: readonly string[]): ScreenFinding | null {
  if (!MINIMAL_FOOTER.test(lines.at(-1) ?? "")) return null;
  const prompt = lines.findLastIndex((line) => line.startsWith("❯"));
  const above = lines[prompt - 1] ?? "";
  if (MINIMAL_WORKING.test(above)) return { name: "working line", state: "thinking", awaiting: null };
  return above === "minimal · /help" ? { name: "composer", state: "waiting", awaiting: null } : null;
}
