// What a person does to a tile or its terminal from the page. Failures are said, never swallowed.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { create } from "zustand";
import { sayFailure } from "../canvas/notices.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { closedWith, runsSomething } from "./closing.ts";
import { tileIdOf } from "./splits.ts";

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

/** Terminals whose closing a person is being asked about. */
export const useAsked = create<{ askedId: string | null }>(() => ({ askedId: null }));

/** Whether closing needs the question at all. */
function needsQuestion(record: TerminalRecord): boolean {
  const all = closedWith(useWorkspace.getState().records, record);
  return all.length > 1 || all.some(runsSomething);
}

/** Closes a terminal, after a question where something would end that somebody may still want. */
export function askToClose(record: TerminalRecord): void {
  if (needsQuestion(record)) useAsked.setState({ askedId: record.id });
  else void closeTerminal(record);
}

/** The person has answered. */
export function answerClose(record: TerminalRecord, close: boolean): void {
  useAsked.setState({ askedId: null });
  if (close) void closeTerminal(record);
  else sessionOf(record.id).focus();
}

/** Ends the process where one lives, and removes the record, with every split below it. */
export async function closeTerminal(record: TerminalRecord): Promise<void> {
  const { records } = useWorkspace.getState();
  const next = neighbourOf(records, record);
  for (const { id } of closedWith(useWorkspace.getState().records, record)) {
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

/** Makes a terminal the active one and gives it the keyboard. */
export function activate(id: string): void {
  useUi.getState().setActive(id);
  sessionOf(id).focus();
}

export function toggleMaximised(tileId: string): void {
  const ui = useUi.getState();
  ui.setMaximised(ui.maximisedId === null ? tileId : null);
}
