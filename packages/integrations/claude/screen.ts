// Claude Code's dialogs on the rendered screen: read only where its files and its in-band words are silent, which is before
// a session exists (trust, API key) and with releases that write no status. Every recogniser is anchored at the live
// bottom: while the composer is there, whatever an answer prints above it is prose. Pure.
import type { ScreenFinding } from "@kolu/anyagent/plugin.ts";

/** Lines at the bottom, blank ones aside, that a dialog's footer may be in: the workflow gate has one line below it. */
const FOOTER_LINES = 2;
/** How far above its footer a dialog's question is looked for. */
const DIALOG_LINES = 24;

interface Recogniser {
  name: string;
  kind: string;
  footer: RegExp;
}

/** Seen on 2.1.332 and 2.1.197; the order matters, the first that matches names the dialog. */
const RECOGNISERS: readonly Recogniser[] = [
  {
    name: "question footer",
    kind: "question",
    footer: /^\s*Enter to select · .*to navigate · Esc to cancel\s*$/,
  },
  { name: "gate footer", kind: "permission", footer: /^\s*Esc to cancel · Tab to amend\s*$/ },
  { name: "plan editor footer", kind: "plan", footer: /^\s*ctrl\+g to edit in .* · .*\/plans\/.*\.md\s*$/ },
  { name: "confirm footer", kind: "dialog", footer: /^\s*Enter to confirm · Esc to (cancel|exit)\s*$/ },
];

/** Dialogs without any footer: their numbered options are the last lines, the cursor on one of them. */
const BARE_OPTION = /^\s*(❯ )?\d\. \S/;
const BARE_TITLES: readonly { name: string; kind: string; title: RegExp }[] = [
  { name: "plan options", kind: "plan", title: /(Exit plan mode\?|Would you like to proceed\?)\s*$/ },
  // The words of the release's own text, not met on a screen here: the service switches this dialog on.
  {
    name: "resume options",
    kind: "dialog",
    title: /Resuming the full session uses a lot of your usage limits/,
  },
];

/** The task list that 2.1.197 keeps below everything, dialogs too. */
const TASK_LINE = /^\s+(\d+ tasks? \(|[✔◼◻] )/;

export function readClaudeScreen(text: string): ScreenFinding | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const end = lines.findLastIndex((line) => !TASK_LINE.test(line)) + 1;
  const bottom = lines.slice(Math.max(0, end - DIALOG_LINES), end);
  for (const { name, kind, footer } of RECOGNISERS) {
    if (!bottom.slice(-FOOTER_LINES).some((line) => footer.test(line))) continue;
    return { name, state: "awaiting", awaiting: { kind, message: questionIn(bottom) } };
  }
  return readBareOptions(bottom);
}

function readBareOptions(bottom: readonly string[]): ScreenFinding | null {
  const options = bottom.slice(bottom.findLastIndex((line) => !BARE_OPTION.test(line)) + 1);
  if (options.length < 2 || !options.some((line) => line.includes("❯"))) return null;
  const above = bottom.slice(0, bottom.length - options.length);
  const dialog = BARE_TITLES.find(({ title }) => above.slice(-6).some((line) => title.test(line)));
  if (dialog === undefined) return null;
  const { name, kind } = dialog;
  return { name, state: "awaiting", awaiting: { kind, message: questionIn(above) } };
}

/** The dialog's own question: the lowest line that asks, up to its question mark. */
function questionIn(lines: readonly string[]): string | null {
  const asked = lines.findLast((line) => QUESTION.test(line));
  return asked?.match(QUESTION)?.[1] ?? null;
}

const QUESTION = /^[\s│❯]*(\S.*?\?)(\s|$)/;
