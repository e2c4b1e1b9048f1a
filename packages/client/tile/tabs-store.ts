// Which terminal each tile shows: its own, or one of its splits. The active terminal is always the one shown.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { create } from "zustand";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";

export const useTabs = create<{ shown: ReadonlyMap<string, string> }>(() => ({ shown: new Map() }));

/** Brings a tile's tab to the front without giving it the keyboard. */
export function showTab(tileId: string, id: string): void {
  useTabs.setState(({ shown }) => ({ shown: new Map([...shown, [tileId, id]]) }));
}

/** The terminal that a tile shows: the chosen one while it is still there. */
export function shownIn(
  tileId: string,
  shown: ReadonlyMap<string, string>,
  has: (id: string) => boolean,
): string {
  const chosen = shown.get(tileId);
  return chosen !== undefined && has(chosen) ? chosen : tileId;
}

/** Keeps the active terminal in front of its tile. Returns how to stop. */
export function followActive(): () => void {
  const follow = (): void => {
    const { activeId } = useUi.getState();
    const { records } = useWorkspace.getState();
    if (activeId === null || !records.has(activeId)) return;
    const tileId = tileIdOf(records, activeId);
    if (useTabs.getState().shown.get(tileId) !== activeId) showTab(tileId, activeId);
  };
  follow();
  const stops = [
    useUi.subscribe((now, before) => {
      if (now.activeId !== before.activeId) follow();
    }),
    // A terminal made a moment ago is active before its record has arrived.
    useWorkspace.subscribe((now, before) => {
      const { activeId } = useUi.getState();
      if (activeId !== null && now.records.has(activeId) && !before.records.has(activeId)) follow();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
