// The right panel: whether it is open, how wide, on which tab. Kept in localStorage where a reload finds it again. Small
// on purpose: the first page holds this and nothing else of the panel.
import { create } from "zustand";

export const PANEL_TABS = ["inspector", "code"] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

export interface Panel {
  open: boolean;
  tab: PanelTab;
  widthPx: number;
}

export const PANEL_MIN_PX = 320;
export const PANEL_MAX_PX = 1100;
export const PANEL_FIRST_PX = 440;

const STORAGE_KEY = "kolu.panel";

/** What an earlier visit left, or the defaults: closed. Anything unreadable counts as absent. Pure. */
export function parsePanel(text: string | null): Panel {
  const panel: Panel = { open: false, tab: "inspector", widthPx: PANEL_FIRST_PX };
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? "null");
  } catch {
    return panel; // Another version's or a person's own text: the defaults lose nothing.
  }
  if (typeof value !== "object" || value === null) return panel;
  const { open, tab, widthPx } = value as Record<string, unknown>;
  if (typeof open === "boolean") panel.open = open;
  if (PANEL_TABS.some((known) => known === tab)) panel.tab = tab as PanelTab;
  if (typeof widthPx === "number") panel.widthPx = clampPanelWidth(widthPx);
  return panel;
}

export function clampPanelWidth(px: number): number {
  return Number.isFinite(px)
    ? Math.min(PANEL_MAX_PX, Math.max(PANEL_MIN_PX, Math.round(px)))
    : PANEL_FIRST_PX;
}

const storage = typeof localStorage === "undefined" ? null : localStorage;

export const usePanel = create<Panel>(() => parsePanel(storage?.getItem(STORAGE_KEY) ?? null));

let openSinceFirst = usePanel.getState().open;

/** Whether it has been open ever since the page was loaded. */
export function wasOpenAtFirst(): boolean {
  return openSinceFirst;
}

usePanel.subscribe(({ open }) => {
  openSinceFirst &&= open;
});
usePanel.subscribe((panel) => storage?.setItem(STORAGE_KEY, JSON.stringify(panel)));

export function setPanelWidth(px: number): void {
  usePanel.setState({ widthPx: clampPanelWidth(px) });
}

export function showPanel(tab: PanelTab): void {
  usePanel.setState({ open: true, tab });
}

export function closePanel(): void {
  usePanel.setState({ open: false });
}

/** Opens the panel on this tab; closes it where that tab is shown already. */
export function togglePanel(tab: PanelTab): void {
  const now = usePanel.getState();
  usePanel.setState(now.open && now.tab === tab ? { open: false } : { open: true, tab });
}
