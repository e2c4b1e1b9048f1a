// What each action of the table does.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { arrangeByRepo, redoLayout, undoLayout } from "../canvas/layouts.ts";
import { newTerminal } from "../canvas/new-terminal.ts";
import { say } from "../canvas/notices.ts";
import { stepSizes, stepTiles } from "../canvas/steps.ts";
import { fitAll, fitSelection, zoomIn, zoomOut, zoomReset } from "../canvas/view-actions.ts";
import { goAlong, goToNext, goToPlace } from "../dock/navigate.ts";
import { openLaunch } from "../launch/wish.ts";
import { askToNotify, canAskToNotify } from "../marks/notify.ts";
import { togglePalette } from "../palette/scope.ts";
import { togglePanel } from "../panel/panel-store.ts";
import { canInstall, install } from "../pwa/install.ts";
import { prefer } from "../settings/prefer.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { FONT_MAX_PX, FONT_MIN_PX } from "../terminal/fonts.ts";
import { splitTerminal, toggleMaximised } from "../tile/actions.ts";
import { ACTION_TABLE, type ActionId } from "./action-table.ts";
import type { Action } from "./actions.ts";

type Deed = Pick<Action, "run" | "isPossible">;

const DEEDS: Record<ActionId, Deed> = {
  "terminal.launch": {
    run: () => (useUi.getState().overlay === "launch" ? useUi.getState().setOverlay(null) : openLaunch()),
  },
  "terminal.new": { run: () => void newTerminal() },
  "terminal.split": onActive(splitTerminal),
  "terminal.next-needing-you": { run: () => goToNext("needs-you") },
  "terminal.next-not-seen": { run: () => goToNext("not-seen") },
  "terminal.next": { run: () => goAlong(1) },
  "terminal.previous": { run: () => goAlong(-1) },
  "terminal.place-1": { run: () => goToPlace(1) },
  "terminal.place-2": { run: () => goToPlace(2) },
  "terminal.place-3": { run: () => goToPlace(3) },
  "terminal.place-4": { run: () => goToPlace(4) },
  "terminal.place-5": { run: () => goToPlace(5) },
  "terminal.place-6": { run: () => goToPlace(6) },
  "terminal.place-7": { run: () => goToPlace(7) },
  "terminal.place-8": { run: () => goToPlace(8) },
  "terminal.place-9": { run: () => goToPlace(9) },
  "canvas.maximise": onActive(({ id }) => toggleMaximised(tileIdOf(useWorkspace.getState().records, id))),
  "canvas.fit": { run: fitAll },
  "canvas.fit-selection": { run: fitSelection },
  "canvas.arrange": { run: arrangeByRepo },
  "canvas.undo": { run: undoLayout },
  "canvas.redo": { run: redoLayout },
  "canvas.move-left": { run: () => stepTiles({ x: -1, y: 0 }) },
  "canvas.move-right": { run: () => stepTiles({ x: 1, y: 0 }) },
  "canvas.move-up": { run: () => stepTiles({ x: 0, y: -1 }) },
  "canvas.move-down": { run: () => stepTiles({ x: 0, y: 1 }) },
  "canvas.narrower": { run: () => stepSizes({ x: -1, y: 0 }) },
  "canvas.wider": { run: () => stepSizes({ x: 1, y: 0 }) },
  "canvas.lower": { run: () => stepSizes({ x: 0, y: -1 }) },
  "canvas.higher": { run: () => stepSizes({ x: 0, y: 1 }) },
  "canvas.zoom-in": { run: zoomIn },
  "canvas.zoom-out": { run: zoomOut },
  "canvas.zoom-reset": { run: zoomReset },
  "page.palette": { run: () => togglePalette("all") },
  "page.search-text": { run: () => togglePalette("text") },
  "page.keys": { run: () => toggleOverlay("keys") },
  "page.settings": { run: () => toggleOverlay("settings") },
  "page.workspace": { run: () => toggleOverlay("workspace") },
  "page.dock": { run: cycleDock },
  "panel.inspector": { run: () => togglePanel("inspector") },
  "panel.code": { run: () => togglePanel("code") },
  "page.notify": { isPossible: canAskToNotify, run: () => void askToNotify() },
  "page.install": { isPossible: canInstall, run: () => void install() },
  "page.font-larger": { run: () => changeFont(1) },
  "page.font-smaller": { run: () => changeFont(-1) },
  "page.restore": { run: toggleRestore },
  "page.scheme": { run: cycleScheme },
};

export const PAGE_ACTIONS: readonly Action[] = (Object.keys(ACTION_TABLE) as ActionId[]).map((id) => ({
  id,
  ...ACTION_TABLE[id],
  ...DEEDS[id],
}));

/** Something that needs an active terminal, and is not possible without one. */
function onActive(act: (record: TerminalRecord) => void): Deed {
  const active = (): TerminalRecord | undefined => {
    const { activeId } = useUi.getState();
    return activeId === null ? undefined : useWorkspace.getState().records.get(activeId);
  };
  return {
    isPossible: () => active() !== undefined,
    run() {
      const record = active();
      if (record) act(record);
    },
  };
}

function toggleOverlay(overlay: "palette" | "keys" | "settings" | "workspace"): void {
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
  prefer({ scheme: after(SCHEMES, useWorkspace.getState().preferences.scheme) });
}

function changeFont(byPx: number): void {
  const fontPx = useWorkspace.getState().preferences.fontPx + byPx;
  if (fontPx >= FONT_MIN_PX && fontPx <= FONT_MAX_PX) prefer({ fontPx });
}

function toggleRestore(): void {
  const restore = useWorkspace.getState().preferences.restore === "ask" ? "auto" : "ask";
  prefer({ restore });
  say(
    restore === "auto" ? "After a crash terminals come back by themselves." : "After a crash you are asked.",
  );
}

function after<T>(list: readonly T[], current: T): T {
  return list[(list.indexOf(current) + 1) % list.length]!;
}
