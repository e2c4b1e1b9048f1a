// What this browser alone decides: which terminal is active, what is maximised, how the dock looks. Kept in
// localStorage where a reload should find it again.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { create } from "zustand";
import { isNarrow, isTouch } from "../narrow.ts";
import { useWorkspace } from "./workspace.ts";

export type DockMode = "cards" | "rail" | "hidden";
export type Overlay = "palette" | "launch" | "keys" | "theme" | "settings" | "workspace" | "paste" | null;

export interface Ui {
  /** The terminal that has, or last had, the keyboard; a split counts by itself. */
  activeId: string | null;
  /** The tile that fills the canvas. */
  maximisedId: string | null;
  /** On a narrow page either the dock's list or one terminal fills it. */
  narrowView: "list" | "terminal";
  dockMode: DockMode;
  dockWidthPx: number;
  /** Font of a terminal that fills a touch screen: what fingers chose for this device alone, or null. */
  touchFontPx: number | null;
  overlay: Overlay;
  /** Grows each time somebody asks for the active terminal to be brought into view; the canvas moves its camera then. */
  revealCount: number;
  /** Makes a terminal the active one. `reveal`: also bring it into view (a click in the dock, a chord). */
  setActive(id: string | null, options?: { reveal?: boolean }): void;
  setMaximised(id: string | null): void;
  setNarrowView(view: "list" | "terminal"): void;
  setDockMode(mode: DockMode): void;
  setDockWidth(px: number): void;
  setTouchFont(px: number): void;
  setOverlay(overlay: Overlay): void;
}

export const DOCK_MIN_PX = 200;
export const DOCK_MAX_PX = 480;
export const DOCK_FIRST_PX = 280;

const STORAGE_KEY = "kolu.ui";

type Kept = Pick<Ui, "activeId" | "dockMode" | "dockWidthPx" | "touchFontPx">;

/** What an earlier visit left, or the defaults; anything unreadable counts as absent. */
export function parseKept(text: string | null): Kept {
  const kept: Kept = { activeId: null, dockMode: "cards", dockWidthPx: DOCK_FIRST_PX, touchFontPx: null };
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? "null");
  } catch {
    return kept; // Another version's or a person's own text: the defaults lose nothing.
  }
  if (typeof value !== "object" || value === null) return kept;
  const { activeId, dockMode, dockWidthPx, touchFontPx } = value as Record<string, unknown>;
  if (typeof activeId === "string") kept.activeId = activeId;
  if (dockMode === "cards" || dockMode === "rail" || dockMode === "hidden") kept.dockMode = dockMode;
  if (typeof dockWidthPx === "number") kept.dockWidthPx = clampDockWidth(dockWidthPx);
  if (typeof touchFontPx === "number" && touchFontPx >= 6 && touchFontPx <= 40)
    kept.touchFontPx = touchFontPx;
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
      // A maximised canvas shows the active terminal: activating another one swaps it. A narrow page has room for no other,
      // and for fingers one that fills the screen is easier than a plane.
      maximisedId:
        maximisedId === null && !(reveal && (isNarrow() || isTouch()))
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
  setTouchFont: (px) => set({ touchFontPx: px }),
  setOverlay: (overlay) => set({ overlay }),
}));

useUi.subscribe((now, before) => {
  const { activeId, dockMode, dockWidthPx, touchFontPx } = now;
  const kept = { activeId, dockMode, dockWidthPx, touchFontPx } satisfies Kept;
  if (Object.entries(kept).some(([name, value]) => value !== before[name as keyof Kept]))
    storage?.setItem(STORAGE_KEY, JSON.stringify(kept));
});
