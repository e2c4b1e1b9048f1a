// A person's own chords: what an action answers to now, and whether a chord may be given to it. Pure.
import type { Bindings } from "@kolu/contract/preferences.ts";
import type { Action } from "./actions.ts";
import { belongsToPrograms, isSameChord, type Platform, parseChord } from "./chord.ts";

/**
 * The chord that an action answers to, or null. A person's own that cannot be had (any more) counts as none of their own; a
 * usual one that a person gave to another action is that action's, also where it became usual only later.
 */
export function chordFor(
  { id, chord }: Pick<Action, "id" | "chord">,
  on: Platform,
  bindings: Bindings,
): string | null {
  const own = Object.hasOwn(bindings, id) ? bindings[id]! : undefined;
  if (own === null) return null;
  if (own !== undefined && reservedBy(own, on) === null) return own;
  const usual = chord?.[on] ?? null;
  const isGiven = Object.entries(bindings).some(
    ([other, given]) => other !== id && given !== null && usual !== null && isSameChord(given, usual),
  );
  return isGiven ? null : usual;
}

export type ChordVerdict =
  | { kind: "free" }
  /** Never to be had; `reason` is a sentence. */
  | { kind: "reserved"; reason: string }
  /** Another action has it. */
  | { kind: "taken"; by: Action };

export function judgeChord(
  text: string,
  { id, actions, on, bindings }: { id: string; actions: readonly Action[]; on: Platform; bindings: Bindings },
): ChordVerdict {
  const reason = reservedBy(text, on);
  if (reason !== null) return { kind: "reserved", reason };
  const by = actions.find((action) => {
    const chord = action.id === id ? null : chordFor(action, on, bindings);
    return chord !== null && isSameChord(chord, text);
  });
  return by ? { kind: "taken", by } : { kind: "free" };
}

/** An action has its usual chord again; whoever was given that one meanwhile goes back to its own too. */
export function resetChord(
  id: string,
  { actions, on, bindings }: { actions: readonly Action[]; on: Platform; bindings: Bindings },
): Bindings {
  const { [id]: _own, ...rest } = bindings;
  const usual = actions.find((action) => action.id === id)?.chord?.[on];
  if (usual === undefined) return rest;
  const verdict = judgeChord(usual, { id, actions, on, bindings: rest });
  return verdict.kind === "taken" && Object.hasOwn(rest, verdict.by.id)
    ? resetChord(verdict.by.id, { actions, on, bindings: rest })
    : rest;
}

/** Chords with a meaning of their own, with whose they are. */
const RESERVED: Record<Platform, readonly [reason: string, ...chords: string[]][]> = {
  other: [
    ["A terminal copies and pastes with it.", "Ctrl+Shift+C", "Ctrl+Shift+V"],
    [
      "Browsers keep it: it opens a window, or closes or reopens a tab, before the page hears of it.",
      "Ctrl+Shift+N",
      "Ctrl+Shift+T",
      "Ctrl+Shift+W",
      "Ctrl+Shift+Q",
      "Ctrl+Shift+Tab",
    ],
  ],
  mac: [
    ["A terminal copies and pastes with it.", "Cmd+C", "Cmd+V", "Cmd+X", "Cmd+A"],
    [
      "The browser or macOS keeps it, before the page hears of it.",
      "Cmd+Q",
      "Cmd+W",
      "Cmd+N",
      "Cmd+T",
      "Cmd+H",
      "Cmd+M",
      "Cmd+Tab",
      "Cmd+Space",
      "Cmd+Shift+N",
      "Cmd+Shift+T",
      "Cmd+Shift+W",
      "Cmd+Shift+Q",
    ],
  ],
};

/** Programs whose keys a person would miss, said by name so that the refusal explains itself. */
const KNOWN_USES: Record<string, string> = {
  "Ctrl+C": "interrupts the program",
  "Ctrl+D": "ends the input",
  "Ctrl+Z": "stops the program",
  "Ctrl+R": "searches the history",
  "Ctrl+K": "cuts the rest of the line",
  "Ctrl+T": "shows an agent's tasks",
  "Ctrl+B": "goes back, and is tmux's",
  "Ctrl+F": "goes forward",
  "Ctrl+J": "is a new line",
  "Ctrl+L": "clears the screen",
  "Ctrl+W": "cuts a word",
  "Ctrl+U": "cuts the line",
  "Ctrl+A": "goes to the start of the line",
  "Ctrl+E": "goes to the end of the line",
  "Ctrl+P": "is the line before",
  "Ctrl+N": "is the line after",
  "Ctrl+O": "unfolds an agent's output",
  "Ctrl+G": "opens an editor, or gives up",
  Escape: "interrupts an agent",
  "Shift+Tab": "changes an agent's mode",
  "Shift+Enter": "is a new line for an agent",
};

/** Why a chord cannot be had on this platform; null: it can. */
export function reservedBy(text: string, on: Platform): string | null {
  const chord = parseChord(text);
  for (const [reason, ...chords] of RESERVED[on])
    if (chords.some((reserved) => isSameChord(reserved, text))) return reason;
  const use = Object.entries(KNOWN_USES).find(([known]) => isSameChord(known, text))?.[1];
  if (on === "mac") {
    if (chord.meta) return null;
    return `Programs in the terminal have all keys without Cmd${use === undefined ? "" : `: ${text} ${use}`}.`;
  }
  if (!belongsToPrograms(chord)) return null;
  return use === undefined
    ? "Programs in the terminal may use it: take one with Ctrl and Shift."
    : `${text} ${use}: shells and agents need it. Take one with Ctrl and Shift.`;
}
