// OpenCode's rendered screen: permission gates, which are nowhere else, and what is shown while no session exists. Every
// recogniser is anchored at the live bottom: a dialog takes the composer's place there, and while the composer is there,
// whatever an answer, a diff or a tool's output prints above it is prose. Pure. Seen on 1.18.33 at 50 to 160 columns.
import type { ScreenFinding } from "@kolu/anyagent/plugin.ts";

export const IDLE_COMPOSER = "idle composer";
export const BUSY_LINE = "working line";
export const START_PAGE = "start page";

export function readOpencodeScreen(text: string): ScreenFinding | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return readDialog(lines) ?? readComposer(lines);
}

// ---- dialogs in the composer's place

/** The last line of a dialog is a frame's edge without words; far to the right the sidebar may go on (over 120 columns). */
const FRAME_END = /^ {2}┃(?:\s*| {20,}\S.*)$/;
const FRAME_LINE = /^ {2}┃/;
/** How many lines above its end a dialog's keys are: two where they do not fit beside the options. */
const KEY_LINES = 3;

interface Dialog {
  name: string;
  kind: string;
  /** On one of the last lines above the frame's end. */
  keys: RegExp;
  /** Somewhere in the frame. */
  title: RegExp | null;
}

const DIALOGS: readonly Dialog[] = [
  {
    name: "permission gate",
    kind: "permission",
    keys: /^ {2}┃ {2,}Allow once {2,}Allow always {2,}Reject\b/,
    title: /^ {2}┃ {2}△ Permission required(\s|$)/,
  },
  {
    name: "confirmation of a lasting permission",
    kind: "permission",
    keys: /^ {2}┃ {2,}Confirm {2,}Cancel\b/,
    title: /^ {2}┃ {2}△ Always allow(\s|$)/,
  },
  {
    name: "words for a refusal",
    kind: "permission",
    keys: /^ {2}┃.*\benter confirm\b/,
    title: /^ {2}┃ {2}△ Reject permission(\s|$)/,
  },
  // `plan_exit` asks in the same dialog; which of the two it is stands in the database.
  {
    name: "question",
    kind: "question",
    keys: /^ {2}┃ {2}(⇆ tab {2})?(↑↓ select {2})?enter \w+ {2}esc dismiss(\s|$)/,
    title: null,
  },
];

function readDialog(lines: readonly string[]): ScreenFinding | null {
  if (lines.length < KEY_LINES || !FRAME_END.test(lines.at(-1)!)) return null;
  const frame = lines.slice(lines.findLastIndex((line) => !FRAME_LINE.test(line)) + 1);
  for (const { name, kind, keys, title } of DIALOGS) {
    if (!frame.slice(-1 - KEY_LINES, -1).some((line) => keys.test(line))) continue;
    const at = title === null ? -1 : frame.findIndex((line) => title.test(line));
    // In full screen a long diff may push the title out of sight; the options alone tell then.
    if (title !== null && at < 0 && !FULL_SCREEN.test(frame.at(-2)!)) continue;
    return { name, state: "awaiting", awaiting: { kind, message: messageIn(frame, at) } };
  }
  return null;
}

const FULL_SCREEN = / {2,}ctrl\+f minimize {2}⇆ select {2}enter confirm$/;

/** What is asked for: the line below the gate's title, or the question's lines up to its mark. */
function messageIn(frame: readonly string[], titleAt: number): string | null {
  if (titleAt >= 0) {
    const below = frame.slice(titleAt + 1, -2).map(wordsOf);
    return below.find((words) => words !== "")?.replace(/^[#→←$⚙] /, "") ?? null;
  }
  const asks = frame.findIndex((line) => wordsOf(line).endsWith("?"));
  if (asks < 0) return null;
  const above = frame.slice(0, asks).findLastIndex((line) => wordsOf(line) === "") + 1;
  return frame
    .slice(above, asks + 1)
    .map(wordsOf)
    .join(" ");
}

function wordsOf(line: string): string {
  return line
    .replace(FRAME_LINE, "")
    .replace(/ {20,}\S.*$/, "")
    .trim();
}

// ---- the composer

const COMPOSER_END = /^\s*╹▀{10,}/;
/** Below a session's composer is one line, two where they do not fit beside each other; on the start page a tip and the last
 * line follow. */
const BELOW_COMPOSER_LINES = 5;
const BUSY = /^\s*[⬝■]{3,}(\s|$)|\besc (again to )?interrupt\b/;
/** The directory and the version: the start page's last line. A session's begins a column further to the right. */
const START_PAGE_END = /^ {2}\S.*\s\d+\.\d+\.\d+\S*$/;
/** Title of a list over the page, and the field below it. */
const LIST_TITLE = /\S {3,}esc(\s*| {6,}\S.*)$/;
const LIST_FIELD = /(^|\s{2,})Search(\s*| {6,}\S.*)$/;

function readComposer(lines: readonly string[]): ScreenFinding | null {
  const onStartPage = START_PAGE_END.test(lines.at(-1) ?? "");
  const end = lines.findLastIndex((line) => COMPOSER_END.test(line));
  const isLive = end >= 0 && end < lines.length - 1 && end >= lines.length - 1 - BELOW_COMPOSER_LINES;
  if (isLive && BUSY.test(lines[end + 1]!)) return { name: BUSY_LINE, state: "thinking", awaiting: null };
  // A list may lie over the composer's end, on a low start page.
  if (!isLive && !onStartPage) return null;
  const list = openList(lines);
  if (list !== null) return { name: "list", state: "awaiting", awaiting: { kind: "dialog", message: list } };
  if (!isLive) return null;
  return { name: onStartPage ? START_PAGE : IDLE_COMPOSER, state: "waiting", awaiting: null };
}

/** A list to choose from (sessions, models, providers, commands) lies over the page and takes every key. */
function openList(lines: readonly string[]): string | null {
  const at = lines.findIndex(
    (line, row) =>
      LIST_TITLE.test(line) && lines.slice(row + 1, row + 3).some((below) => LIST_FIELD.test(below)),
  );
  if (at < 0) return null;
  const title = lines[at]!.replace(LIST_TITLE, (found) => found[0]!);
  return title.split(/ {2,}/).at(-1)!.trim() || null;
}
