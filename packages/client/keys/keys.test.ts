import { afterEach, expect, test } from "vitest";
import { meaningOf } from "../terminal/keyboard.ts";
import { ACTION_TABLE } from "./action-table.ts";
import { type Action, ActionClash, addActions, findAction, useActions } from "./actions.ts";
import { chordFor, judgeChord, reservedBy, resetChord } from "./bindings.ts";
import {
  belongsToPrograms,
  chordCaps,
  chordOf,
  isPress,
  isSameChord,
  type Press,
  parseChord,
} from "./chord.ts";

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

test("a press is written as its chord, and read back as the same", () => {
  const cases: [Press, string | null][] = [
    [press("KeyK", "ctrl", "shift"), "Ctrl+Shift+K"],
    [press("Digit7", "meta"), "Cmd+7"],
    [press("BracketLeft", "meta", "alt"), "Cmd+Alt+["],
    [press("PageDown", "ctrl", "shift"), "Ctrl+Shift+PageDown"],
    [press("F5", "ctrl", "shift", "alt"), "Ctrl+Alt+Shift+F5"],
    [press("ShiftLeft", "ctrl", "shift"), null],
    [press("ControlRight", "ctrl"), null],
    [press("MetaLeft", "meta"), null],
  ];
  for (const [given, text] of cases) {
    expect(chordOf(given)).toBe(text);
    if (text !== null) expect(isPress(parseChord(text), given)).toBe(true);
  }
  for (const { chord } of Object.values(ACTION_TABLE))
    if (chord) expect(isSameChord(chord.other, chord.mac)).toBe(false);
});

test("an action answers to a person's own chord, to none when it was taken away, and to its usual one otherwise", () => {
  const one = action("a", "Ctrl+Shift+K", "Cmd+K");
  expect(chordFor(one, "other", {})).toBe("Ctrl+Shift+K");
  expect(chordFor(one, "other", { a: "Ctrl+Shift+J" })).toBe("Ctrl+Shift+J");
  expect(chordFor(one, "other", { a: null })).toBeNull();
  // Given to another one, perhaps before this one had it.
  expect(chordFor(one, "other", { b: "Ctrl+Shift+K" })).toBeNull();
  // Written by hand or by another version: what a program needs is not taken from it.
  expect(chordFor(one, "other", { a: "Ctrl+C" })).toBe("Ctrl+Shift+K");
  expect(findAction([one], press("KeyJ", "ctrl", "shift"), "other", { a: "Ctrl+Shift+J" })?.id).toBe("a");
  expect(findAction([one], press("KeyK", "ctrl", "shift"), "other", { a: "Ctrl+Shift+J" })).toBeNull();
  expect(findAction([one], press("KeyK", "ctrl", "shift"), "other", { a: null })).toBeNull();
});

test("a chord that another action answers to is taken, by its usual chord or by one of its own", () => {
  const actions = [action("a", "Ctrl+Shift+K", "Cmd+K"), action("b", "Ctrl+Shift+M", "Cmd+Shift+M")];
  const judge = (text: string, bindings = {}) =>
    judgeChord(text, { id: "a", actions, on: "other", bindings });
  expect(judge("Ctrl+Shift+M")).toMatchObject({ kind: "taken", by: { id: "b" } });
  expect(judge("Ctrl+Shift+J", { b: "Ctrl+Shift+J" })).toMatchObject({ kind: "taken", by: { id: "b" } });
  expect(judge("Ctrl+Shift+M", { b: "Ctrl+Shift+J" })).toEqual({ kind: "free" });
  expect(judge("Ctrl+Shift+K")).toEqual({ kind: "free" });
});

test("what shells, agents, the terminal and browsers need cannot be had, and the reason is said", () => {
  for (const text of ["C", "D", "K", "R", "B", "J", "T", "F", "Z", "L", "W"].map((key) => `Ctrl+${key}`)) {
    expect([text, reservedBy(text, "other")]).toEqual([text, expect.stringMatching(/shells and agents/)]);
    expect([text, reservedBy(text, "mac")]).toEqual([text, expect.stringContaining(text)]);
  }
  for (const text of ["Alt+1", "F5", "Enter", "K", "Shift+K", "Ctrl+Alt+K", "Ctrl+Shift+C", "Ctrl+Shift+T"])
    expect([text, reservedBy(text, "other")]).toEqual([text, expect.any(String)]);
  for (const text of ["Cmd+C", "Cmd+W", "Ctrl+Shift+K", "Alt+K"])
    expect([text, reservedBy(text, "mac")]).toEqual([text, expect.any(String)]);
  expect([reservedBy("Ctrl+Shift+J", "other"), reservedBy("Ctrl+Alt+Shift+J", "other")]).toEqual([
    null,
    null,
  ]);
  expect([reservedBy("Cmd+J", "mac"), reservedBy("Cmd+Shift+J", "mac")]).toEqual([null, null]);
});

test("every usual chord is one that could be given", () => {
  for (const [id, { chord }] of Object.entries(ACTION_TABLE))
    if (chord)
      expect([id, reservedBy(chord.other, "other"), reservedBy(chord.mac, "mac")]).toEqual([id, null, null]);
});

test("a chord that is reset comes back from whoever was given it meanwhile", () => {
  const actions = [action("a", "Ctrl+Shift+K", "Cmd+K"), action("b", "Ctrl+Shift+M", "Cmd+Shift+M")];
  const swapped = { a: "Ctrl+Shift+M", b: "Ctrl+Shift+K" };
  expect(resetChord("b", { actions, on: "other", bindings: swapped })).toEqual({});
  const given = { a: "Ctrl+Shift+M", b: null };
  expect(resetChord("b", { actions, on: "other", bindings: given })).toEqual({});
  expect(resetChord("a", { actions, on: "other", bindings: given })).toEqual({ b: null });
  expect(resetChord("a", { actions, on: "other", bindings: { b: "Ctrl+Shift+J" } })).toEqual({
    b: "Ctrl+Shift+J",
  });
});
