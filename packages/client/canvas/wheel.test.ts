import { expect, test } from "vitest";
import { decideWheel, type WheelInput, type WheelOwner } from "./wheel.ts";

const base: WheelInput = {
  deltaX: 0,
  deltaY: 100,
  deltaMode: 0,
  zooming: false,
  shift: false,
  overScrollable: false,
  atMs: 1000,
  pagePx: 800,
};
const content: WheelOwner = { owner: "content", lastMs: 950 };
const ofCamera: WheelOwner = { owner: "camera", lastMs: 950 };

const cases: Record<string, [Partial<WheelInput>, WheelOwner | null, object]> = {
  "a wheel over the floor pans": [{}, null, { kind: "pan", dx: -0, dy: -100 }],
  "a wheel over a terminal is the terminal's": [{ overScrollable: true }, null, { kind: "leave" }],
  "Shift pans over a terminal": [
    { overScrollable: true, shift: true },
    null,
    { kind: "pan", dx: -0, dy: -100 },
  ],
  "Shift turned sideways by the browser is turned back": [
    { overScrollable: true, shift: true, deltaX: 100, deltaY: 0 },
    null,
    { kind: "pan", dx: 0, dy: -100 },
  ],
  "Ctrl zooms over a terminal": [
    { overScrollable: true, zooming: true },
    null,
    { kind: "zoom", deltaYPx: 100 },
  ],
  "a pan that drifts over a terminal stays a pan": [
    { overScrollable: true },
    ofCamera,
    { kind: "pan", dx: -0, dy: -100 },
  ],
  "a scroll that runs off its terminal never pans": [{}, content, { kind: "leave" }],
  "after a pause the owner is asked anew": [
    {},
    { owner: "content", lastMs: 700 },
    { kind: "pan", dx: -0, dy: -100 },
  ],
  "deltas in lines are pixels here": [{ deltaMode: 1, deltaY: 3 }, null, { kind: "pan", dx: -0, dy: -60 }],
  "deltas in pages are pixels here": [{ deltaMode: 2, deltaY: 1 }, null, { kind: "pan", dx: -0, dy: -800 }],
};

for (const [name, [input, owner, action]] of Object.entries(cases)) {
  test(name, () => expect(decideWheel({ ...base, ...input }, owner).action).toEqual(action));
}
