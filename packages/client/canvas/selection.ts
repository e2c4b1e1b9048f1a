// Which tiles are selected: by a box over the floor or by clicks with Shift. What is asked of a selection means the active
// tile where nothing is selected.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { create } from "zustand";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";

export const useSelection = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export function changeSelection(changes: readonly { id: string; selected: boolean }[]): void {
  const after = new Set(useSelection.getState().ids);
  for (const { id, selected } of changes) {
    if (selected) after.add(id);
    else after.delete(id);
  }
  useSelection.setState({ ids: after });
}

/** The tiles that a command means: those selected when they are several or hold the active one, else the active one. */
export function tilesMeant(): string[] {
  const { records } = useWorkspace.getState();
  const { activeId } = useUi.getState();
  const selected = [...useSelection.getState().ids].filter((id) => records.has(id));
  if (activeId === null || !records.has(activeId)) return selected;
  const activeTile = tileIdOf(records, activeId);
  return selected.includes(activeTile) || selected.length > 1 ? selected : [activeTile];
}
