import { afterEach, expect, test } from "vitest";
import { meaningOf } from "../terminal/keyboard.ts";
import { ACTION_TABLE } from "./action-table.ts";
import { type Action, ActionClash, addActions, findAction, useActions } from "./actions.ts";
import { belongsToPrograms, chordCaps, isPress, type Press, parseChord } from "./chord.ts";

afterEach(() => useActions.setState({ actions: [] }));

const press = (code: string, ...held: ("ctrl" | "shift" | "alt" | "meta")[]): Press => ({
  code,
  ctrlKey: held.includes("ctrl"),
  shiftKey: held.includes("shift"),
  altKey: held.includes("alt"),
  metaKey: held.includes("meta"),
});
const action = (id: string, other: string, mac: string, possible = true): Action => ({
  id,
  title: id,
  group: "Page",
  chord: { other, mac },
  isPossible: () => possible,
  run() {},
});

test("a chord is its key and exactly its modifiers", () => {
  const chord = parseChord("Ctrl+Shift+K");
  expect(isPress(chord, press("KeyK", "ctrl", "shift"))).toBe(true);
  expect(isPress(chord, press("KeyK", "ctrl"))).toBe(false);
  expect(isPress(chord, press("KeyK", "ctrl", "shift", "alt"))).toBe(false);
  expect(isPress(parseChord("Cmd+]"), press("BracketRight", "meta"))).toBe(true);
  expect(isPress(parseChord("Ctrl+Shift+1"), press("Digit1", "ctrl", "shift"))).toBe(true);
});

test("chords that shells and agents use belong to programs", () => {
  for (const text of [
    "Ctrl+C",
    "Ctrl+D",
    "Ctrl+K",
    "Ctrl+R",
    "Ctrl+B",
    "Ctrl+J",
    "Ctrl+T",
    "Ctrl+F",
    "Ctrl+Z",
    "Alt+B",
    "Alt+1",
    "Shift+Enter",
    "Escape",
  ])
    expect([text, belongsToPrograms(parseChord(text))]).toEqual([text, true]);
  expect(belongsToPrograms(parseChord("Ctrl+Shift+K"))).toBe(false);
});

test("no action takes a chord that a program could want, and no two take the same one", () => {
  const rows = Object.entries(ACTION_TABLE).map(([id, row]): Action => ({ id, ...row, run() {} }));
  for (const { id, chord } of rows)
    if (chord) expect([id, belongsToPrograms(parseChord(chord.other))]).toEqual([id, false]);
  for (const { id, chord } of rows) if (chord) expect([id, parseChord(chord.mac).meta]).toEqual([id, true]);
  addActions(rows);
});

test("no action takes a chord of the terminal itself", () => {
  for (const [id, { chord }] of Object.entries(ACTION_TABLE)) {
    if (!chord) continue;
    const key = chord.other.split("+").at(-1)!;
    const meaning = meaningOf({ key, ctrl: true, shift: true, alt: false, meta: false }, false);
    if (key !== "Enter") expect([id, meaning.kind]).toEqual([id, "program"]);
  }
});

test("a press finds the action of this platform, and passes by what is not possible now", () => {
  const actions = [action("a", "Ctrl+Shift+K", "Cmd+K"), action("b", "Ctrl+Shift+M", "Cmd+Shift+M", false)];
  expect(findAction(actions, press("KeyK", "ctrl", "shift"), "other")?.id).toBe("a");
  expect(findAction(actions, press("KeyK", "meta"), "mac")?.id).toBe("a");
  expect(findAction(actions, press("KeyK", "meta"), "other")).toBeNull();
  expect(findAction(actions, press("KeyM", "ctrl", "shift"), "other")).toBeNull();
});

test("two actions cannot share a chord, and a removed one frees it", () => {
  const remove = addActions([action("a", "Ctrl+Shift+K", "Cmd+K")]);
  expect(() => addActions([action("b", "Ctrl+Shift+K", "Cmd+J")])).toThrow(ActionClash);
  expect(() => addActions([action("b", "Ctrl+Shift+J", "Cmd+K")])).toThrow(ActionClash);
  remove();
  addActions([action("b", "Ctrl+Shift+K", "Cmd+J")]);
  expect(useActions.getState().actions.map(({ id }) => id)).toEqual(["b"]);
});

test("key caps follow the platform", () => {
  expect(chordCaps("Ctrl+Shift+K", "other")).toEqual(["Ctrl", "Shift", "K"]);
  expect(chordCaps("Cmd+Shift+M", "mac")).toEqual(["⇧", "⌘", "M"]);
  expect(chordCaps("Cmd+Enter", "mac")).toEqual(["⌘", "↩"]);
});
