// What a person does to a tile or its terminal from the page. Failures are said, never swallowed.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { sayFailure } from "../canvas/notices.ts";
import { useUi } from "../store/ui.ts";
import { padi } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";

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

/** Makes a terminal the active one and gives it the keyboard. */
export function activate(id: string): void {
  useUi.getState().setActive(id);
  sessionOf(id).focus();
}

export function toggleMaximised(tileId: string): void {
  const ui = useUi.getState();
  ui.setMaximised(ui.maximisedId === null ? tileId : null);
}
