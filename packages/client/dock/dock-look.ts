// How this browser wants its dock: what it leaves out, how dense its rows are. Kept where a reload finds it again.
import { create } from "zustand";
import { AGES, type DockFilter, NO_FILTER } from "./dock-filter.ts";

export interface DockLook {
  filter: DockFilter;
  compact: boolean;
}

const STORAGE_KEY = "kolu.dock";

/** What an earlier visit left, or the defaults; anything unreadable counts as absent. */
export function parseLook(text: string | null): DockLook {
  const look: DockLook = { filter: NO_FILTER, compact: false };
  try {
    const { filter, compact } = JSON.parse(text ?? "{}") as Partial<DockLook>;
    const hideAsleep = filter?.hideAsleep === true;
    // Only what can be chosen: another number could not be seen in the list, nor taken back there.
    const [, quietForMs] = AGES.find(([, ms]) => ms === filter?.quietForMs) ?? ["", null];
    return { filter: { hideAsleep, quietForMs }, compact: compact === true };
  } catch {
    return look; // Another version's or a person's own text: the defaults lose nothing.
  }
}

const storage = typeof localStorage === "undefined" ? null : localStorage;

export const useDockLook = create<DockLook>(() => parseLook(storage?.getItem(STORAGE_KEY) ?? null));

export function setDockLook(changed: Partial<DockLook>): void {
  useDockLook.setState(changed);
  storage?.setItem(STORAGE_KEY, JSON.stringify(useDockLook.getState()));
}
