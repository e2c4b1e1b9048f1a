// The one registry of what a person can do by a key: dispatch, the help overlay and the palette all read it. Parts of
// the page add their actions while they are mounted.

import type { Bindings } from "@kolu/contract/preferences.ts";
import { create } from "zustand";
import { useWorkspace } from "../store/workspace.ts";
import { chordFor } from "./bindings.ts";
import { type ChordPair, isPress, type Platform, type Press, parseChord } from "./chord.ts";
import { platform } from "./platform.ts";

export type ActionGroup = "Terminals" | "Canvas" | "Page";

export interface Action {
  /** Stable: tests and a person's own chords name it. */
  id: string;
  title: string;
  group: ActionGroup;
  /** Where a person has not chosen another one. */
  chord: ChordPair | null;
  /** Held down, it goes on. */
  repeats?: boolean;
  /** False: not now (nothing to act on). The chord then goes on to whoever has the focus. */
  isPossible?(): boolean;
  run(): void;
}

interface Registry {
  actions: readonly Action[];
}

export const useActions = create<Registry>(() => ({ actions: [] }));

/** Two actions may not answer one chord or id: that is a bug of the page, found when it is built. */
export class ActionClash extends Error {
  constructor(added: Action, present: Action) {
    super(`Action ${added.id} clashes with ${present.id}.`);
    this.name = "ActionClash";
  }
}

/** Adds actions; returns how to take them away again. Throws ActionClash. */
export function addActions(added: readonly Action[]): () => void {
  const present = useActions.getState().actions;
  for (const action of added) {
    const clash = present.find((other) => other.id === action.id || sharesChord(other, action));
    if (clash) throw new ActionClash(action, clash);
  }
  useActions.setState({ actions: [...present, ...added] });
  return () =>
    useActions.setState(({ actions }) => ({ actions: actions.filter((action) => !added.includes(action)) }));
}

function sharesChord(a: Action, b: Action): boolean {
  return (
    a.chord !== null && b.chord !== null && (a.chord.other === b.chord.other || a.chord.mac === b.chord.mac)
  );
}

/** Cmd+Enter in a box to write in sends what stands there; elsewhere on a Mac it is a chord of the page. */
function sendsByEnter({ key, target, shiftKey }: KeyboardEvent): boolean {
  return (
    key === "Enter" && !shiftKey && target instanceof Element && target.matches("[data-takes-mod-enter]")
  );
}

/** The action that a key press means, or null. Pure. */
export function findAction(
  actions: readonly Action[],
  press: Press,
  on: Platform,
  bindings: Bindings = {},
): Action | null {
  const meant = actions.find((action) => {
    const chord = chordFor(action, on, bindings);
    return chord !== null && isPress(parseChord(chord), press);
  });
  return meant && meant.isPossible?.() !== false ? meant : null;
}

/** The person's own chords on this keyboard. */
export function useBindings(): Bindings {
  return useWorkspace(({ preferences }) => preferences.keys[platform]);
}

/**
 * Listens for chords before anything else on the page does, the terminal with the focus included. Returns how to stop.
 * A press during IME composition belongs to the composition.
 */
export function startKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || sendsByEnter(event)) return;
    // Whoever asks for a chord gets every press: see settings/chord-field.tsx.
    if (event.target instanceof Element && event.target.matches("[data-takes-chord]")) return;
    const { keys } = useWorkspace.getState().preferences;
    const action = findAction(useActions.getState().actions, event, platform, keys[platform]);
    if (!action) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat || action.repeats) action.run();
  };
  window.addEventListener("keydown", onKeyDown, { capture: true });
  return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
}
