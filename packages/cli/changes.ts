// What changed between two views of the workspace, as a person following it wants to hear. Pure.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

export type Change =
  | { kind: "record"; id: string; record: TerminalRecord }
  | { kind: "activity"; id: string; busy: boolean }
  | { kind: "removed"; id: string };

/** Terminals that went first, then the others in the order of `next`. Output alone is an activity, not a new record. */
export function findChanges(
  known: ReadonlyMap<string, TerminalRecord>,
  next: ReadonlyMap<string, TerminalRecord>,
): Change[] {
  const changes: Change[] = [];
  for (const id of known.keys()) if (!next.has(id)) changes.push({ kind: "removed", id });
  for (const [id, record] of next) {
    const before = known.get(id);
    if (before === record) continue;
    if (!before || facts(before) !== facts(record)) changes.push({ kind: "record", id, record });
    else if (before.busy !== record.busy) changes.push({ kind: "activity", id, busy: record.busy });
  }
  return changes;
}

/** Everything but output and the place on the canvas, comparable. */
function facts(record: TerminalRecord): string {
  const { busy: _busy, lastActivityAtMs: _lastActivityAtMs, layout: _layout, ...rest } = record;
  return JSON.stringify(rest);
}
