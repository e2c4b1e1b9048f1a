import fc from "fast-check";
import { expect, test } from "vitest";
import { HISTORY_MAX_CHANGES, type LayoutHistory, NO_HISTORY, record, redo, undo } from "./layout-history.ts";

const at = (x: number) => ({ x, y: 0, w: 300, h: 200 });
const move = (id: string, from: number, to: number) => ({
  before: new Map([[id, at(from)]]),
  after: new Map([[id, at(to)]]),
});
const all = () => true;

test("undo takes back the last act, redo does it again", () => {
  const history = record(record(NO_HISTORY, move("a", 0, 24)), move("a", 24, 48));
  const back = undo(history, all)!;
  expect(back.layouts.get("a")).toEqual(at(24));
  expect(redo(back.history, all)!.layouts.get("a")).toEqual(at(48));
});

test("an act that moved nothing is no step", () => {
  expect(record(NO_HISTORY, move("a", 5, 5))).toBe(NO_HISTORY);
});

test("a new act ends what could be redone", () => {
  const back = undo(record(NO_HISTORY, move("a", 0, 24)), all)!;
  expect(redo(record(back.history, move("a", 0, 72)), all)).toBeNull();
});

test("steps of tiles that are gone are passed over", () => {
  const history = record(record(NO_HISTORY, move("a", 0, 24)), move("b", 0, 24));
  expect(undo(history, (id) => id === "a")!.layouts).toEqual(new Map([["a", at(0)]]));
  expect(undo(history, () => false)).toBeNull();
});

test("any walk of undo and redo shows what was there at that step", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("undo", "redo"), { maxLength: 60, size: "max" }), (walk) => {
      let history: LayoutHistory = NO_HISTORY;
      for (let n = 0; n < 8; n++) history = record(history, move("a", n * 24, (n + 1) * 24));
      let place = 8;
      for (const way of walk) {
        const step = way === "undo" ? undo(history, all) : redo(history, all);
        const next = way === "undo" ? place - 1 : place + 1;
        if (next < 0 || next > 8) {
          expect(step).toBeNull();
          continue;
        }
        place = next;
        history = step!.history;
        expect(step!.layouts.get("a")).toEqual(at(place * 24));
      }
    }),
  );
});

test("the oldest act is forgotten beyond the limit", () => {
  let history: LayoutHistory = NO_HISTORY;
  for (let n = 0; n < HISTORY_MAX_CHANGES + 5; n++) history = record(history, move("a", n, n + 1));
  expect(history.past).toHaveLength(HISTORY_MAX_CHANGES);
});

test("steps that follow one another are undone at once", () => {
  const steps = record(record(NO_HISTORY, move("a", 0, 24)), move("a", 24, 48), { joins: true });
  const back = undo(steps, all)!;
  expect(back.layouts.get("a")).toEqual(at(0));
  expect(redo(back.history, all)!.layouts.get("a")).toEqual(at(48));
});
