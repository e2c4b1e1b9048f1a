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

/** The worktree that nobody would be in any more; null: there is none, or somebody stays in it. */
export function worktreeLeft(
  records: ReadonlyMap<string, TerminalRecord>,
  record: TerminalRecord,
): { root: string; branch: string | null } | null {
  const { git } = record;
  if (!git?.isWorktree) return null;
  const going = new Set<string>(closedWith(records, record).map(({ id }) => id));
  const isShared = [...records.values()].some(
    (other) => other.git?.root === git.root && !going.has(other.id),
  );
  return isShared ? null : { root: git.root, branch: git.branch };
}
