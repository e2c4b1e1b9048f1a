// The actions of canvas and tiles that have a chord of their own.

import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { arrangeByRepo, redoLayout, undoLayout } from "../canvas/layouts.ts";
import { fitAll, zoomIn, zoomOut, zoomReset } from "../canvas/view-actions.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { splitTerminal, toggleMaximised } from "../tile/actions.ts";
import { tileIdOf } from "../tile/splits.ts";
import type { Action } from "./actions.ts";

function activeRecord(): TerminalRecord | undefined {
  const { activeId } = useUi.getState();
  return activeId === null ? undefined : useWorkspace.getState().records.get(activeId);
}

export const CANVAS_ACTIONS: readonly Action[] = [
  {
    id: "terminal.split",
    title: "Split the terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+`", mac: "Cmd+Shift+`" },
    isPossible: () => activeRecord() !== undefined,
    run() {
      const record = activeRecord();
      if (record) splitTerminal(record);
    },
  },
  {
    id: "canvas.maximise",
    title: "Maximise the tile, or put it back",
    group: "Canvas",
    chord: { other: "Ctrl+Shift+M", mac: "Cmd+Shift+M" },
    isPossible: () => activeRecord() !== undefined,
    run() {
      const record = activeRecord();
      if (record) toggleMaximised(tileIdOf(useWorkspace.getState().records, record.id));
    },
  },
  {
    id: "canvas.fit",
    title: "Fit everything",
    group: "Canvas",
    chord: { other: "Ctrl+Shift+.", mac: "Cmd+Shift+." },
    run: fitAll,
  },
  { id: "canvas.arrange", title: "Arrange by repository", group: "Canvas", chord: null, run: arrangeByRepo },
  {
    id: "canvas.undo",
    title: "Undo the last change of layout",
    group: "Canvas",
    chord: null,
    run: undoLayout,
  },
  { id: "canvas.redo", title: "Redo the change of layout", group: "Canvas", chord: null, run: redoLayout },
  { id: "canvas.zoom-in", title: "Zoom in", group: "Canvas", chord: null, run: zoomIn },
  { id: "canvas.zoom-out", title: "Zoom out", group: "Canvas", chord: null, run: zoomOut },
  { id: "canvas.zoom-reset", title: "Zoom to 100 %", group: "Canvas", chord: null, run: zoomReset },
];
