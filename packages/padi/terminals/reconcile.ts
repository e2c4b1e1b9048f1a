// What follows from meeting a kaval: its rows against our records and tombstones. Pure.
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import type { Life } from "@kolu/contract/terminal.ts";

export type ReconcileAction =
  /** A row that we know: its record follows it. */
  | { kind: "follow"; row: KavalTerminal }
  /** A row that nobody told us of: somebody else made it (with kaval-tui), or our record of it was lost. */
  | { kind: "adopt"; row: KavalTerminal }
  /** Its root process ended: see `afterExit`. */
  | { kind: "end"; row: KavalTerminal }
  /** Removed by a person while kaval could not be told. */
  | { kind: "kill"; id: string }
  /** kaval keeps a screen for an id that is removed. */
  | { kind: "forget"; id: string }
  /** Its process died with an earlier kaval. */
  | { kind: "park"; id: string }
  /** The very kaval that ran it does not have it any more, so it was killed there; or its removal was decided earlier. */
  | { kind: "remove"; id: string }
  /** kaval has nothing of a removed id: its tombstone need not guard it any longer. */
  | { kind: "settle-tombstone"; id: string };

export interface ReconcileInput {
  rows: readonly KavalTerminal[];
  records: Iterable<{ id: string; life: Life }>;
  tombstoneIds: ReadonlySet<string>;
  /** The records were last in step with this same kaval, not with an earlier one. */
  sameKaval: boolean;
}

export function reconcile({ rows, records, tombstoneIds, sameKaval }: ReconcileInput): ReconcileAction[] {
  const lives = new Map([...records].map((record) => [record.id, record.life]));
  const rowIds = new Set<string>(rows.map((row) => row.id));
  const actions: ReconcileAction[] = rows.map((row) =>
    actionFor(row, lives.get(row.id), tombstoneIds.has(row.id)),
  );
  for (const [id, life] of lives) {
    if (rowIds.has(id)) continue;
    // A tombstone beside a record: its removal was decided, and we died before it was done.
    if (tombstoneIds.has(id)) actions.push({ kind: "remove", id });
    else if (life === "active") actions.push({ kind: sameKaval ? "remove" : "park", id });
  }
  for (const id of tombstoneIds) if (!rowIds.has(id)) actions.push({ kind: "settle-tombstone", id });
  return actions;
}

/** What follows from one row. `life` is that of its record, undefined when there is none. */
export function actionFor(row: KavalTerminal, life: Life | undefined, removed: boolean): ReconcileAction {
  if (removed) return { kind: row.life === "live" ? "kill" : "forget", id: row.id };
  switch (row.life) {
    case "live":
      return { kind: life === undefined ? "adopt" : "follow", row };
    case "ended":
      return { kind: "end", row };
    case "saved":
      if (life === undefined) return { kind: "adopt", row };
      // A parked, sleeping or exited record keeps its life; its screen is what the row is for.
      return life === "active" ? { kind: "park", id: row.id } : { kind: "follow", row };
    default:
      return row.life satisfies never;
  }
}

/** A shell that ends well closes its tile; any other end stays to be read. */
export function afterExit(exit: { code: number; signal: number }): "remove" | "keep" {
  return exit.code === 0 && exit.signal === 0 ? "remove" : "keep";
}
