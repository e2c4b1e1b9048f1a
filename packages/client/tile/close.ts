// Closing terminals from the page: asked about where something would be lost, with their worktree where a person says so, and
// undone where a conversation can be brought back.
import type { Reopening } from "@kolu/contract/launch.ts";
import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { create } from "zustand";
import { placeOfNext, showNew } from "../canvas/new-terminal.ts";
import { say, sayFailure } from "../canvas/notices.ts";
import { nameOf } from "../marks/name-of.ts";
import { useUi } from "../store/ui.ts";
import { padi, useWorkspace } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { activate } from "./actions.ts";
import { closedWith, runsSomething, worktreeLeft } from "./closing.ts";

/** A worktree that goes with the terminal. `force`: with everything in it that is nowhere else. */
export interface Removal {
  path: string;
  force: boolean;
}

/** Terminals whose closing a person is being asked about. */
export const useAsked = create<{ askedId: string | null }>(() => ({ askedId: null }));

/** Whether closing needs the question at all. */
function needsQuestion(record: TerminalRecord): boolean {
  const { records } = useWorkspace.getState();
  const all = closedWith(records, record);
  return all.length > 1 || all.some(runsSomething) || worktreeLeft(records, record) !== null;
}

/** Closes a terminal, after a question where something would end or be left that somebody may still want. */
export function askToClose(record: TerminalRecord): void {
  if (needsQuestion(record)) useAsked.setState({ askedId: record.id });
  else void closeTerminal(record);
}

/** The person has answered; null: it stays. */
export function answerClose(record: TerminalRecord, answer: { removal: Removal | null } | null): void {
  useAsked.setState({ askedId: null });
  if (answer) void closeTerminal(record, answer.removal);
  else sessionOf(record.id).focus();
}

/** Ends the process where one lives, and removes the record, with every split below it. */
export async function closeTerminal(record: TerminalRecord, removal: Removal | null = null): Promise<void> {
  const { records } = useWorkspace.getState();
  const next = neighbourOf(records, record);
  const ways: Reopening[] = [];
  for (const { id } of closedWith(records, record)) {
    try {
      const { reopen } = await padi().call("terminal.kill", { id });
      if (reopen) ways.push(reopen);
    } catch (error) {
      sayFailure("The terminal could not be closed")(error);
      return;
    }
  }
  const { activeId, maximisedId } = useUi.getState();
  if (activeId !== null && !useWorkspace.getState().records.has(activeId) && next !== null) activate(next);
  if (maximisedId === record.id && next === null) useUi.getState().setMaximised(null);
  if (removal) await removeWorktree(removal, record);
  else if (ways.length > 0) sayClosed(record, ways);
}

async function removeWorktree({ path, force }: Removal, record: TerminalRecord): Promise<void> {
  try {
    await padi().call("worktree.remove", { path, force });
    say(`The worktree ${record.git?.branch ?? path} and its branch are removed.`);
  } catch (error) {
    sayFailure("The terminal is closed, but its worktree was not removed")(error);
  }
}

function sayClosed(record: TerminalRecord, ways: readonly Reopening[]): void {
  const run = (): void => {
    for (const way of ways) void reopen(way);
  };
  say(`Closed ${nameOf(record)}. Its conversation is kept.`, { label: "Reopen", run });
}

/** A new terminal where the closed one was, on the same conversation. */
async function reopen({ cwd, run, intent, parentId }: Reopening): Promise<void> {
  const hasParent = parentId !== null && useWorkspace.getState().records.has(parentId);
  try {
    const { id } = await padi().call("terminal.create", {
      ...(await placeOfNext()),
      ...(hasParent ? { placement: { kind: "child-of", parentId } } : {}),
      cwd,
      run,
      ...(intent === null ? {} : { intent }),
    });
    showNew(id);
  } catch (error) {
    sayFailure("The conversation could not be reopened")(error);
  }
}

/** The terminal that takes over the keyboard: the tile of a closed split. */
function neighbourOf(records: ReadonlyMap<string, TerminalRecord>, record: TerminalRecord): string | null {
  const tileId = tileIdOf(records, record.id);
  return tileId === record.id ? null : (record.parentId ?? tileId);
}
