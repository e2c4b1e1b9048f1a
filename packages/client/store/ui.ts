// What this browser alone decides: which terminal is active, what is maximised, how the dock looks. Kept in
// localStorage where a reload should find it again.
import { create } from "zustand";
import { isNarrow } from "../narrow.ts";
import { tileIdOf } from "../tile/splits.ts";
import { useWorkspace } from "./workspace.ts";

export type DockMode = "cards" | "rail" | "hidden";
export type Overlay = "palette" | "launch" | "keys" | "theme" | "workspace" | null;

export interface Ui {
  /** The terminal that has, or last had, the keyboard; a split counts by itself. */
  activeId: string | null;
  /** The tile that fills the canvas. */
  maximisedId: string | null;
  /** On a narrow page either the dock's list or one terminal fills it. */
  narrowView: "list" | "terminal";
  dockMode: DockMode;
  dockWidthPx: number;
  overlay: Overlay;
  /** Grows each time somebody asks for the active terminal to be brought into view; the canvas moves its camera then. */
  revealCount: number;
  /** Makes a terminal the active one. `reveal`: also bring it into view (a click in the dock, a chord). */
  setActive(id: string | null, options?: { reveal?: boolean }): void;
  setMaximised(id: string | null): void;
  setNarrowView(view: "list" | "terminal"): void;
  setDockMode(mode: DockMode): void;
  setDockWidth(px: number): void;
  setOverlay(overlay: Overlay): void;
}

export const DOCK_MIN_PX = 200;
export const DOCK_MAX_PX = 480;
export const DOCK_FIRST_PX = 280;

const STORAGE_KEY = "kolu.ui";

type Kept = Pick<Ui, "activeId" | "dockMode" | "dockWidthPx">;

/** What an earlier visit left, or the defaults; anything unreadable counts as absent. */
export function parseKept(text: string | null): Kept {
  const kept: Kept = { activeId: null, dockMode: "cards", dockWidthPx: DOCK_FIRST_PX };
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? "null");
  } catch {
    return kept; // Another version's or a person's own text: the defaults lose nothing.
  }
  if (typeof value !== "object" || value === null) return kept;
  const { activeId, dockMode, dockWidthPx } = value as Record<string, unknown>;
  if (typeof activeId === "string") kept.activeId = activeId;
  if (dockMode === "cards" || dockMode === "rail" || dockMode === "hidden") kept.dockMode = dockMode;
  if (typeof dockWidthPx === "number") kept.dockWidthPx = clampDockWidth(dockWidthPx);
  return kept;
}

export function clampDockWidth(px: number): number {
  return Number.isFinite(px) ? Math.min(DOCK_MAX_PX, Math.max(DOCK_MIN_PX, Math.round(px))) : DOCK_FIRST_PX;
}

const storage = typeof localStorage === "undefined" ? null : localStorage;

export const useUi = create<Ui>((set, get) => ({
  ...parseKept(storage?.getItem(STORAGE_KEY) ?? null),
  maximisedId: null,
  narrowView: "list",
  overlay: null,
  revealCount: 0,
  setActive(id, options) {
    if (id === null) return set({ activeId: null, maximisedId: null, narrowView: "list" });
    const { maximisedId, revealCount, narrowView } = get();
    const reveal = options?.reveal === true;
    set({
      activeId: id,
      // A maximised canvas shows the active terminal: activating another one swaps it. A narrow page has room for no other.
      maximisedId:
        maximisedId === null && !(reveal && isNarrow())
          ? null
          : tileIdOf(useWorkspace.getState().records, id),
      revealCount: revealCount + (reveal ? 1 : 0),
      narrowView: reveal ? "terminal" : narrowView,
    });
  },
  setNarrowView: (narrowView) => set({ narrowView }),
  setMaximised: (id) => set({ maximisedId: id }),
  setDockMode: (dockMode) => set({ dockMode }),
  setDockWidth: (px) => set({ dockWidthPx: clampDockWidth(px) }),
  setOverlay: (overlay) => set({ overlay }),
}));

useUi.subscribe(({ activeId, dockMode, dockWidthPx }, before) => {
  if (activeId === before.activeId && dockMode === before.dockMode && dockWidthPx === before.dockWidthPx)
    return;
  storage?.setItem(STORAGE_KEY, JSON.stringify({ activeId, dockMode, dockWidthPx } satisfies Kept));
});
