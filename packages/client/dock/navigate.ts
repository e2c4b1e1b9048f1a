// Going to a terminal: by a click, by its place, to the next one, to the next one that needs a person.
import { attentionOf } from "../marks/mark-of.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { type DockRow, dockCards, rowOrder } from "./dock-rows.ts";

/** Makes a terminal active, brings it into view and gives it the keyboard. */
export function goTo(id: string): void {
  useUi.getState().setActive(id, { reveal: true });
  if (useWorkspace.getState().records.get(id)?.life === "active") sessionOf(id).focus();
}

function rows(): DockRow[] {
  return rowOrder(dockCards(useWorkspace.getState().records));
}

/** The n-th row of the dock, from 1. */
export function goToPlace(place: number): void {
  const row = rows()[place - 1];
  if (row) goTo(row.record.id);
}

/** The row after (or before) the active one, around the end. */
export function goAlong(step: 1 | -1): void {
  const next = neighbour(rows(), useUi.getState().activeId, step, () => true);
  if (next) goTo(next.record.id);
}

export function goToNext(wanted: "needs-you" | "not-seen"): void {
  const next = neighbour(rows(), useUi.getState().activeId, 1, (row) => attentionOf(row.mark) === wanted);
  if (next) goTo(next.record.id);
}

/** Pure. Starts after the active row and comes around to it last. */
export function neighbour(
  order: readonly DockRow[],
  activeId: string | null,
  step: 1 | -1,
  isWanted: (row: DockRow) => boolean,
): DockRow | null {
  const at = order.findIndex((row) => row.record.id === activeId);
  const start = at < 0 && step === -1 ? 0 : at;
  for (let n = 1; n <= order.length; n++) {
    const row = order[(start + step * n + order.length * 2) % order.length]!;
    if (isWanted(row)) return row;
  }
  return null;
}

/** When the active terminal goes away its neighbour in the dock takes over. Returns how to stop. */
export function followRemovals(): () => void {
  return useWorkspace.subscribe((now, before) => {
    const { activeId, setActive } = useUi.getState();
    if (activeId === null || now.records === before.records || now.records.has(activeId)) return;
    if (!before.records.has(activeId)) {
      if (now.told.records) setActive(null); // Kept from an earlier visit, and gone since.
      return;
    }
    const order = rowOrder(dockCards(before.records));
    const next = neighbour(order, activeId, 1, (row) => now.records.has(row.record.id));
    setActive(next?.record.id ?? null);
  });
}
