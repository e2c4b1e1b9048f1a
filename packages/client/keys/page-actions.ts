// The actions that the shell of the page itself has. The canvas and the tiles add theirs where they live.
import { newTerminal } from "../canvas/new-terminal.ts";
import { sayFailure } from "../canvas/notices.ts";
import { goAlong, goToNext, goToPlace } from "../dock/navigate.ts";
import { useUi } from "../store/ui.ts";
import { setPreferences, useWorkspace } from "../store/workspace.ts";
import type { Action } from "./actions.ts";

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const PAGE_ACTIONS: readonly Action[] = [
  {
    id: "terminal.new",
    title: "New terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+Enter", mac: "Cmd+Enter" },
    run: () => void newTerminal(),
  },
  {
    id: "terminal.next-needing-you",
    title: "Next terminal that needs you",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+Space", mac: "Cmd+Shift+Space" },
    run: () => goToNext("needs-you"),
  },
  {
    id: "terminal.next-not-seen",
    title: "Next finished terminal not seen yet",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+U", mac: "Cmd+Shift+U" },
    run: () => goToNext("not-seen"),
  },
  {
    id: "terminal.next",
    title: "Next terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+]", mac: "Cmd+Shift+]" },
    run: () => goAlong(1),
  },
  {
    id: "terminal.previous",
    title: "Previous terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+[", mac: "Cmd+Shift+[" },
    run: () => goAlong(-1),
  },
  ...PLACES.map(
    (place): Action => ({
      id: `terminal.place-${place}`,
      title: `Terminal ${place} of the dock`,
      group: "Terminals",
      chord: { other: `Ctrl+Shift+${place}`, mac: `Cmd+${place}` },
      run: () => goToPlace(place),
    }),
  ),
  {
    id: "page.palette",
    title: "Search terminals and commands",
    group: "Page",
    chord: { other: "Ctrl+Shift+K", mac: "Cmd+K" },
    run: () => toggleOverlay("palette"),
  },
  {
    id: "page.keys",
    title: "Show all keys",
    group: "Page",
    chord: { other: "Ctrl+Shift+/", mac: "Cmd+/" },
    run: () => toggleOverlay("keys"),
  },
  {
    id: "page.dock",
    title: "Dock: cards, rail, hidden",
    group: "Page",
    chord: { other: "Ctrl+Shift+B", mac: "Cmd+Shift+B" },
    run: cycleDock,
  },
  {
    id: "page.scheme",
    title: "Scheme: dark, light, system",
    group: "Page",
    chord: null,
    run: cycleScheme,
  },
];

function toggleOverlay(overlay: "palette" | "keys"): void {
  const { overlay: open, setOverlay } = useUi.getState();
  setOverlay(open === overlay ? null : overlay);
}

const DOCK_MODES = ["cards", "rail", "hidden"] as const;

export function cycleDock(): void {
  const { dockMode, setDockMode } = useUi.getState();
  setDockMode(after(DOCK_MODES, dockMode));
}

const SCHEMES = ["dark", "light", "system"] as const;

export function cycleScheme(): void {
  const { scheme } = useWorkspace.getState().preferences;
  setPreferences({ scheme: after(SCHEMES, scheme) }).catch(sayFailure("The scheme could not be changed"));
}

function after<T>(list: readonly T[], current: T): T {
  return list[(list.indexOf(current) + 1) % list.length]!;
}
