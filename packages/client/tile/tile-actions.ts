// What the active tile does by a chord, beside the page's own table: rows of the one registry of keys.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { sayFailure } from "../canvas/notices.ts";
import type { Action } from "../keys/actions.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { FONT_MAX_PX, FONT_MIN_PX } from "../terminal/fonts.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { canUndoTheme, openThemes, undoTheme } from "../theme/theme-changes.ts";
import { activate } from "./actions.ts";
import { askToClose } from "./close.ts";
import { exportTranscript } from "./export.ts";
import { savePicture, takePicture } from "./picture.ts";
import { sleepTerminal, wakeTerminals } from "./sleeping.ts";
import { treesOf } from "./trees.ts";

function activeRecord(): TerminalRecord | null {
  const { activeId } = useUi.getState();
  return (activeId !== null && useWorkspace.getState().records.get(activeId)) || null;
}

const withActive = (
  run: (record: TerminalRecord) => void,
  isFit: (record: TerminalRecord) => boolean = () => true,
) => ({
  isPossible: () => {
    const record = activeRecord();
    return record !== null && isFit(record);
  },
  run: () => {
    const record = activeRecord();
    if (record) run(record);
  },
});

const hasAgent = (record: TerminalRecord): boolean => record.agent !== null;

function setFont(record: TerminalRecord, fontPx: number | null): void {
  const bounded = fontPx === null ? null : Math.min(FONT_MAX_PX, Math.max(FONT_MIN_PX, fontPx));
  padi()
    .call("terminal.setFont", { id: record.id, fontPx: bounded })
    .catch(sayFailure("The font size could not be changed"));
}

function fontOf(record: TerminalRecord): number {
  return record.fontPx ?? useWorkspace.getState().preferences.fontPx;
}

/** The next tab of the active tile, around the end. */
function showAlong(record: TerminalRecord, step: 1 | -1): void {
  const { records } = useWorkspace.getState();
  const tree = treesOf(records).get(tileIdOf(records, record.id));
  if (!tree) return;
  const tabs = [tree.root, ...tree.splits];
  const at = tabs.findIndex(({ id }) => id === record.id);
  activate(tabs[(at + step + tabs.length) % tabs.length]!.id);
}

export const TILE_ACTIONS: readonly Action[] = [
  {
    id: "terminal.search",
    title: "Search in this terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+F", mac: "Cmd+F" },
    ...withActive(({ id }) => sessionOf(id).startSearch()),
  },
  {
    id: "terminal.next-tab",
    title: "Next split of this tile",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+PageDown", mac: "Cmd+Alt+]" },
    ...withActive((record) => showAlong(record, 1)),
  },
  {
    id: "terminal.previous-tab",
    title: "Previous split of this tile",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+PageUp", mac: "Cmd+Alt+[" },
    ...withActive((record) => showAlong(record, -1)),
  },
  {
    id: "terminal.sleep",
    title: "Put this terminal to sleep",
    group: "Terminals",
    chord: null,
    ...withActive(
      (record) => void sleepTerminal(record),
      ({ life }) => life === "active" || life === "parked",
    ),
  },
  {
    id: "terminal.wake",
    title: "Wake this terminal",
    group: "Terminals",
    chord: null,
    ...withActive(
      ({ id }) => void wakeTerminals([id]),
      ({ life }) => life === "sleeping",
    ),
  },
  {
    id: "terminal.theme",
    title: "Theme of this terminal",
    group: "Terminals",
    chord: null,
    ...withActive(({ id }) => openThemes(id)),
  },
  {
    id: "terminal.theme-undo",
    title: "Undo the last change of a theme",
    group: "Terminals",
    chord: null,
    isPossible: canUndoTheme,
    run: undoTheme,
  },
  {
    id: "terminal.picture",
    title: "Picture of this terminal, to the clipboard",
    group: "Terminals",
    chord: null,
    ...withActive((record) => void takePicture(record)),
  },
  {
    id: "terminal.picture-file",
    title: "Picture of this terminal, as a file",
    group: "Terminals",
    chord: null,
    ...withActive((record) => void savePicture(record)),
  },
  {
    id: "terminal.export-full",
    title: "Export this agent's transcript: everything",
    group: "Terminals",
    chord: null,
    ...withActive((record) => void exportTranscript(record, "full"), hasAgent),
  },
  {
    id: "terminal.export-chat",
    title: "Export this agent's transcript: only the chat",
    group: "Terminals",
    chord: null,
    ...withActive((record) => void exportTranscript(record, "chat"), hasAgent),
  },
  {
    id: "terminal.close",
    title: "Close this terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+X", mac: "Cmd+Shift+X" },
    ...withActive(askToClose),
  },
  {
    id: "terminal.font-larger",
    title: "Larger font in this terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+=", mac: "Cmd+=" },
    ...withActive((record) => setFont(record, fontOf(record) + 1)),
  },
  {
    id: "terminal.font-smaller",
    title: "Smaller font in this terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+-", mac: "Cmd+-" },
    ...withActive((record) => setFont(record, fontOf(record) - 1)),
  },
  {
    id: "terminal.font-reset",
    title: "The usual font size in this terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+0", mac: "Cmd+0" },
    ...withActive((record) => setFont(record, null)),
  },
];
