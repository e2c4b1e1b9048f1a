// Which rows the dock leaves out when a person asks it to: those that sleep, those where nothing happened for long. Pure.
// Whoever needs a person, works, or is being looked at is never left out, nor is a parent of somebody who is shown.
import { attentionOf } from "../marks/mark-of.ts";
import type { DockCard, DockRow } from "./dock-rows.ts";

export interface DockFilter {
  hideAsleep: boolean;
  /** Leave out where nothing happened for this long; null: whatever its age. */
  quietForMs: number | null;
}

export const NO_FILTER: DockFilter = { hideAsleep: false, quietForMs: null };

const HOUR_MS = 60 * 60 * 1_000;
/** What a person can choose from. */
export const AGES: [label: string, quietForMs: number | null][] = [
  ["Any age", null],
  ["Last hour", HOUR_MS],
  ["Last day", 24 * HOUR_MS],
  ["Last week", 7 * 24 * HOUR_MS],
];

export function filterCards(
  cards: readonly DockCard[],
  filter: DockFilter,
  { nowMs, activeId }: { nowMs: number; activeId: string | null },
): { cards: DockCard[]; hiddenCount: number } {
  let hiddenCount = 0;
  const kept = cards.flatMap((card) => {
    const rows = withParents(
      card.rows,
      (row) => row.record.id === activeId || !isLeftOut(row, filter, nowMs),
    );
    hiddenCount += card.rows.length - rows.length;
    return rows.length === 0 ? [] : [{ ...card, rows }];
  });
  return { cards: kept, hiddenCount };
}

function isLeftOut(
  { record, mark }: DockRow,
  { hideAsleep, quietForMs }: DockFilter,
  nowMs: number,
): boolean {
  if (attentionOf(mark) !== null || isAtWork(mark.kind) || record.busy) return false;
  if (hideAsleep && record.life === "sleeping") return true;
  return quietForMs !== null && nowMs - lastNewsMs(record) > quietForMs;
}

function isAtWork(kind: DockRow["mark"]["kind"]): boolean {
  return kind === "thinking" || kind === "tool_use" || kind === "background";
}

function lastNewsMs({ lastActivityAtMs, lifeSinceMs, createdAtMs }: DockRow["record"]): number {
  return Math.max(lastActivityAtMs ?? 0, lifeSinceMs, createdAtMs);
}

/** Rows come parents first, each deeper than its parent: a row that stays keeps the rows that lead to it. */
function withParents(rows: readonly DockRow[], stays: (row: DockRow) => boolean): DockRow[] {
  const kept: DockRow[] = [];
  let neededDepth = 0;
  for (const row of rows.toReversed()) {
    if (stays(row) || row.depth < neededDepth) {
      kept.push(row);
      neededDepth = row.depth;
    }
  }
  return kept.reverse();
}
