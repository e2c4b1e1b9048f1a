// Codex's rendered screen: dialogs, which neither its files nor its in-band words tell of (approvals before 0.171.0, trust,
// sign-in, the pickers, a plan's approval), and, while no thread is known, whether it works. Anchored at the live bottom: below
// every answer there is the composer, so what an answer prints is never the last thing on the screen. Pure.
import type { ScreenFinding } from "@kolu/anyagent/plugin.ts";

/** Lines at the bottom, blank ones aside, that a dialog's footer may be in: the resume picker has one below its first. */
const FOOTER_LINES = 2;
/** How far above its footer a dialog's question is looked for: an approval shows the whole command. */
const DIALOG_LINES = 30;

interface Recogniser {
  name: string;
  kind: string;
  footer: RegExp;
  /** What must stand above the footer: a footer alone may be anybody's prose. */
  above: RegExp;
}

/** A list's cursor. The sign-in page draws it with another sign. */
const CURSOR = /^\s*[›>❯] \d+\. \S/;

/** Captured on 0.171.0. The first that matches names the dialog. */
const RECOGNISERS: readonly Recogniser[] = [
  {
    name: "question footer",
    kind: "question",
    footer: /^\s*(?:.* \| )?enter to submit (?:answer|all)\b.*\| esc to interrupt\s*$/,
    above: /^\s*Question \d+\/\d+ \(\d+ unanswered\)\s*$/,
  },
  {
    name: "approval footer",
    kind: "permission",
    footer: /^\s*Press enter to confirm or esc to cancel\s*$/,
    above: CURSOR,
  },
  {
    name: "plan options",
    kind: "plan",
    footer: /^\s*enter select · esc back\s*$/,
    above: /Implement this plan\?/,
  },
  {
    name: "list footer",
    kind: "dialog",
    footer: /^\s*enter (?:select|continue|confirm) · esc \w+\s*$/,
    above: CURSOR,
  },
  {
    name: "confirm footer",
    kind: "dialog",
    footer: /^\s*Press enter to (?:confirm|continue|select)(?: or esc to (?:go back|cancel|dismiss))?\s*$/i,
    above: CURSOR,
  },
  {
    name: "resume picker",
    kind: "dialog",
    footer: /^\s*enter (?:resume|fork)\s{2,}.*esc \w+/,
    above: /^\s*(?:Resume|Fork) a previous session\s*$/,
  },
];

export function readCodexScreen(text: string): ScreenFinding | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return readDialog(lines) ?? readComposer(lines);
}

function readDialog(lines: readonly string[]): ScreenFinding | null {
  const bottom = lines.slice(-DIALOG_LINES);
  for (const { name, kind, footer, above } of RECOGNISERS) {
    const at = bottom.findLastIndex((line) => footer.test(line));
    if (at < 0 || at < bottom.length - FOOTER_LINES) continue;
    const dialog = bottom.slice(0, at);
    if (!dialog.some((line) => above.test(line))) continue;
    return { name, state: "awaiting", awaiting: { kind, message: messageOf(dialog) } };
  }
  return null;
}

const QUESTION = /^[\s│]*(\S.*?\?)(?:\s|$)/;

/** The lowest line that asks, with the command that an approval is about. */
function messageOf(dialog: readonly string[]): string | null {
  const at = dialog.findLastIndex((line) => QUESTION.test(line) && !CURSOR.test(line));
  if (at < 0) return null;
  const command = dialog.slice(at).find((line) => /^\s*\$ \S/.test(line));
  const question = QUESTION.exec(dialog[at]!)![1]!;
  return command === undefined ? question : `${question} ${command.trim().slice(2)}`;
}

const COMPOSER = /^› /;
/** Below the composer: its further lines, the model's line, the hints. */
const BELOW_COMPOSER_MAX_LINES = 6;
/** Between the working line and the composer: queued messages, a note on background terminals. */
const ABOVE_COMPOSER_LINES = 8;
const WORKING = /^[•◦] .*\(.*\besc to interrupt\)/;
const NOTE = /^\s+\d+ background terminals? running/;
const TURN_ENDED = /^(?:\s+Worked for \S.*|■ .*)$/;

function readComposer(lines: readonly string[]): ScreenFinding | null {
  const at = lines.findLastIndex((line) => COMPOSER.test(line));
  if (at < 0 || lines.length - at - 1 > BELOW_COMPOSER_MAX_LINES) return null;
  if (!lines.slice(at + 1).every((line) => line.startsWith("  "))) return null;
  const above = lines.slice(0, at).filter((line) => !NOTE.test(line));
  const near = above.slice(-ABOVE_COMPOSER_LINES);
  const ended = near.findLastIndex((line) => TURN_ENDED.test(line));
  if (near.findLastIndex((line) => WORKING.test(line)) > ended) {
    return { name: "working line", state: "thinking", awaiting: null };
  }
  // While an answer streams there is no working line either: idle is only what stands right below an ended turn, or no turn.
  const fresh = !above.some((line) => COMPOSER.test(line) || /^[•✗✔] /.test(line));
  if (!fresh && ended !== near.length - 1) return null;
  return { name: "idle composer", state: "waiting", awaiting: null };
}
