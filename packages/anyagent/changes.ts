// What differs between two moments of a terminal, and whether it is a reason to look again. Pure.
import type { TerminalSignals } from "./detector.ts";
import type { Recognised } from "./recognise.ts";

export function foregroundDiffers(before: TerminalSignals, next: TerminalSignals): boolean {
  return (
    before.foregroundPid !== next.foregroundPid ||
    before.rootPid !== next.rootPid ||
    before.atPrompt !== next.atPrompt ||
    before.command?.startedAtMs !== next.command?.startedAtMs ||
    before.command?.running !== next.command?.running
  );
}

/** A program made itself known: a new title, or its first in-band word. */
export function announces(before: TerminalSignals, next: TerminalSignals): boolean {
  return before.title !== next.title || before.program.length !== next.program.length;
}

/** A program of the terminal said something in band. */
export function reports(before: TerminalSignals, next: TerminalSignals): boolean {
  return latestReportMs(before) !== latestReportMs(next);
}

function latestReportMs({ program }: TerminalSignals): number {
  return Math.max(0, ...program.map((record) => record.updatedAtMs));
}

export function sameAgent(left: Recognised | null, right: Recognised | null): boolean {
  return left?.vocab === right?.vocab && left?.process?.pid === right?.process?.pid;
}
