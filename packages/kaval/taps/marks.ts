// OSC 133 and 633: where the prompt, the command and its output begin and end, said by our shell integration. Any program
// can print these bytes, so only marks with the terminal's own nonce count.
//
//   OSC 133;A;kolu=<nonce>            prompt begins
//   OSC 133;B;kolu=<nonce>            prompt ends, input begins
//   OSC 633;E;<escaped line>;<nonce>  the command line about to run; left out for one that is kept out of history
//   OSC 133;C;kolu=<nonce>            it runs
//   OSC 133;D;<status>;kolu=<nonce>   it ended
import type { CommandFacts } from "@kolu/contract/terminal.ts";
import { plainLines } from "./text.ts";

export type Mark =
  | { kind: "prompt-start" }
  | { kind: "prompt-end" }
  | { kind: "command-line"; line: string }
  | { kind: "command-start" }
  | { kind: "command-end"; exitStatus: number | null };

/** A longer command line is cut: it is shown, searched and matched against agents' names, never run. */
const LINE_MAX_CHARS = 8_192;

/** A 133 mark; null when it carries another nonce or none, or says nothing we know. */
export function parseMark133(payload: string, nonce: string): Mark | null {
  const [kind, ...fields] = payload.split(";");
  if (!fields.includes(`kolu=${nonce}`)) return null;
  switch (kind) {
    case "A":
      return { kind: "prompt-start" };
    case "B":
      return { kind: "prompt-end" };
    case "C":
      return { kind: "command-start" };
    case "D":
      return { kind: "command-end", exitStatus: /^\d{1,3}$/.test(fields[0]!) ? Number(fields[0]) : null };
    default:
      return null;
  }
}

/** A 633;E mark; null as above. */
export function parseMark633(payload: string, nonce: string): Mark | null {
  const [kind, escaped, given] = payload.split(";");
  if (kind !== "E" || escaped === undefined || given !== nonce) return null;
  return { kind: "command-line", line: plainLines(unescapeLine(escaped), LINE_MAX_CHARS) };
}

/** `\\` and `\xHH`; HH is a byte of UTF-8 only below 0x80, so it is a character by itself. */
function unescapeLine(escaped: string): string {
  return escaped.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_, digits: string | undefined) =>
    digits === undefined ? "\\" : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

export interface MarkState {
  command: CommandFacts | null;
  promptShown: boolean | null;
  /** Announced by 633;E, not yet running. */
  nextLine: string | null;
}

export const NO_MARKS: MarkState = { command: null, promptShown: null, nextLine: null };

export function foldMark(state: MarkState, mark: Mark, nowMs: number): MarkState {
  switch (mark.kind) {
    case "prompt-start":
      // A prompt means that nothing runs: a command whose end was not said ended by now, how is not known.
      return { command: ended(state.command, null, nowMs), promptShown: false, nextLine: null };
    case "prompt-end":
      return state.promptShown === true ? state : { ...state, promptShown: true };
    case "command-line":
      return { ...state, nextLine: mark.line };
    case "command-start": {
      const line = state.nextLine ?? "";
      const command = { line, running: true, exitStatus: null, startedAtMs: nowMs, endedAtMs: null };
      return { command, promptShown: false, nextLine: null };
    }
    case "command-end":
      return { ...state, command: ended(state.command, mark.exitStatus, nowMs) };
    default:
      return mark satisfies never;
  }
}

function ended(command: CommandFacts | null, exitStatus: number | null, nowMs: number): CommandFacts | null {
  return command?.running ? { ...command, running: false, exitStatus, endedAtMs: nowMs } : command;
}
