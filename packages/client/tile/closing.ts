// What closing a terminal ends. Pure.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { descendantsOf } from "./splits.ts";

/** The terminals that go with it: all its descendants, deepest first, and itself last. */
export function closedWith(
  records: ReadonlyMap<string, TerminalRecord>,
  record: TerminalRecord,
): TerminalRecord[] {
  return [...descendantsOf(records, record.id).toReversed(), record];
}

/** Whether closing this one would end something that somebody may still want. */
export function runsSomething(record: TerminalRecord): boolean {
  if (record.life !== "active") return false;
  return record.agent !== null || record.rootCommand !== null || record.command?.running === true;
}
