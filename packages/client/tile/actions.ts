// What a person does to a tile or its terminal from the page. Failures are said, never swallowed.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { sayFailure } from "../canvas/notices.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { tileIdOf, tilesOf } from "./splits.ts";

/** A new terminal inside a tile, as its next tab; it gets the keyboard. */
export function splitTerminal(record: TerminalRecord): void {
  const create = padi().call("terminal.create", {
    placement: { kind: "child-of", parentId: record.id },
    cwd: record.cwd,
    cols: record.grid.cols,
    rows: record.grid.rows,
  });
  create.then(({ id }) => activate(id), sayFailure("The split could not be made"));
}

/** Whether closing would end something that somebody may still want. */
export function runsSomething(record: TerminalRecord): boolean {
  if (record.life !== "active") return false;
  return record.agent !== null || record.rootCommand !== null || record.command?.running === true;
}

/** The terminals that go with it: all its descendants, deepest first, and itself last. */
export function closedWith(record: TerminalRecord): TerminalRecord[] {
  const { records } = useWorkspace.getState();
  const tree = tilesOf(
    new Map([...records].map(([id, row]) => [id, row.id === record.id ? { ...row, parentId: null } : row])),
  );
  const own = tree.find(({ root }) => root.id === record.id);
  return own ? [...own.splits.toReversed(), record] : [record];
}

/** Ends the process where one lives, and removes the record, with every split below it. */
export async function closeTerminal(record: TerminalRecord): Promise<void> {
  const { records } = useWorkspace.getState();
  const next = neighbourOf(records, record);
  for (const { id } of closedWith(record)) {
    try {
      await padi().call("terminal.kill", { id });
    } catch (error) {
      sayFailure("The terminal could not be closed")(error);
      return;
    }
  }
  const { activeId, maximisedId } = useUi.getState();
  if (activeId !== null && !useWorkspace.getState().records.has(activeId) && next !== null) activate(next);
  if (maximisedId === record.id && next === null) useUi.getState().setMaximised(null);
}

/** The terminal that takes over the keyboard: the tile of a closed split. */
function neighbourOf(records: ReadonlyMap<string, TerminalRecord>, record: TerminalRecord): string | null {
  const tileId = tileIdOf(records, record.id);
  return tileId === record.id ? null : (record.parentId ?? tileId);
}

export function restoreTerminal(record: TerminalRecord): void {
  padi()
    .call("terminal.restore", { ids: [record.id] })
    .then(({ failed }) => {
      for (const { reason } of failed) sayFailure("The terminal could not be restored")(new Error(reason));
    }, sayFailure("The terminal could not be restored"));
}

/** Makes a terminal the active one and gives it the keyboard. */
export function activate(id: string): void {
  useUi.getState().setActive(id);
  sessionOf(id).focus();
}

export function toggleMaximised(tileId: string): void {
  const ui = useUi.getState();
  ui.setMaximised(ui.maximisedId === null ? tileId : null);
}
