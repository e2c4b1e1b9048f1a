import { SCROLLBACK_LINES } from "@kolu/contract/limits.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dumpScreen } from "./dump.ts";
import { bytesOf, screenOf } from "./fixtures/screen-of.ts";
import type { Screen } from "./screen.ts";

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `line ${from + index}`);
}

function settle(screen: Screen): Screen {
  while (screen.unsettledChunks > 0) screen.settleOne();
  return screen;
}

/** Reads all history by pages, as a client does. */
function readHistory(screen: Screen, pageLines: number): string[] {
  const lines: string[] = [];
  let before: number | undefined;
  for (;;) {
    const page = screen.history({ maxLines: pageLines, ...(before === undefined ? {} : { before }) });
    if (page.kind === "stale") throw new Error("no epoch was given");
    expect(page.lines.length).toBeLessThanOrEqual(pageLines);
    lines.unshift(...page.lines);
    if (page.exhausted) return lines;
    before = page.topLine;
  }
}

function feedNumbered(count: number, settleEvery: number): Screen {
  const screen = screenOf(40, 10);
  for (let line = 0; line < count; line++) {
    screen.write(bytesOf(`line ${line}\r\n`));
    if (settleEvery > 0 && line % settleEvery === settleEvery - 1) settle(screen);
  }
  return screen;
}

describe("of 12 000 lines exactly the newest 10 000 stay above the screen, in order", () => {
  // The screen of ten rows shows the last nine lines and the empty one with the cursor.
  const onScreen = numbered(12_000 - 9, 12_000);
  const above = numbered(12_000 - 9 - SCROLLBACK_LINES, 12_000 - 9);
  const cases: Record<string, number> = {
    "while none was settled": 0,
    "after every line was settled": 1,
    "settled now and then": 3_777,
    "settled seldom": 11_999,
  };
  for (const [title, settleEvery] of Object.entries(cases)) {
    test(title, () => {
      const screen = feedNumbered(12_000, settleEvery);
      for (const settled of [false, true]) {
        if (settled) settle(screen);
        expect(readHistory(screen, 1_000)).toEqual(above);
        expect(readHistory(screen, 333)).toEqual(above);
        expect(screen.text({ kind: "all" }).split("\n")).toEqual([...above, ...onScreen, ""]);
        expect(screen.text({ kind: "tail", lines: 4_000 }).split("\n")).toEqual(numbered(8_000, 12_000));
        const copy = screenOf(40, 10);
        copy.write(screen.snapshot(SCROLLBACK_LINES));
        expect(copy.text({ kind: "all" })).toBe(screen.text({ kind: "all" }));
      }
      expect(screen.unsettledChunks).toBe(0);
    });
  }
});

test("settled rows keep their looks, links and the joints of wrapped lines", () => {
  const flood = Array.from(
    { length: 3_000 },
    (_, index) =>
      `\x1b[3${index % 8};4${(index + 1) % 8}m${index} \x1b[4:3;58:5:9mx\x1b[0;7m漢字👨‍👩‍👧 ${"w".repeat(index % 90)}\x1b[m\x1b]8;;https://example.org/${index % 50}\x1b\\l\x1b]8;;\x1b\\\x1b[4${index % 8}m\x1b[K\x1b[m`,
  ).join("\r\n");
  const loose = screenOf(40, 10);
  const settled = screenOf(40, 10);
  loose.write(bytesOf(flood));
  settled.write(bytesOf(flood));
  settle(settled);
  expect(settled.unsettledChunks).toBe(0);
  const copies = [loose, settled].map((screen) => {
    const copy = screenOf(40, 10);
    copy.write(screen.snapshot(SCROLLBACK_LINES));
    return copy;
  });
  expect(dumpScreen(copies[1]!, 6_000)).toEqual(dumpScreen(copies[0]!, 6_000));
  expect(dumpScreen(copies[0]!, 6_000)).toEqual(dumpScreen(loose, 6_000));
});

test("a flood of bare newlines loses no line between two moments of rest", () => {
  const screen = screenOf(40, 10);
  screen.write(bytesOf("first\r\n"));
  settle(screen);
  screen.write(bytesOf("\n".repeat(9_000)));
  screen.write(bytesOf("last"));
  settle(screen);
  const history = readHistory(screen, 1_000);
  expect(history[0]).toBe("first");
  expect(history.length).toBe(9_001 - 9);
  screen.write(bytesOf("\n".repeat(70_000)));
  expect(readHistory(screen, 5_000).length).toBe(SCROLLBACK_LINES);
});

test("absolute numbers stay what they are while output goes on and old rows move", () => {
  const screen = feedNumbered(5_000, 0);
  const page = screen.history({ maxLines: 10 });
  if (page.kind === "stale") throw new Error("stale");
  const again = (): unknown => screen.history({ maxLines: 10, before: page.topLine + 10, epoch: page.epoch });
  settle(screen);
  expect(again()).toEqual(page);
  screen.write(bytesOf(`${numbered(0, 2_000).join("\r\n")}`));
  expect(again()).toEqual(page);
  settle(screen);
  expect(again()).toEqual(page);
});

test("a reader is told that a reflow moved the lines, a change of height moves none", () => {
  const screen = feedNumbered(3_000, 500);
  const page = screen.history({ maxLines: 10 });
  if (page.kind === "stale") throw new Error("stale");
  screen.resize(40, 20);
  expect(screen.history({ maxLines: 10, before: page.topLine, epoch: page.epoch }).kind).toBe("page");
  screen.resize(30, 20);
  expect(screen.history({ maxLines: 10, before: page.topLine, epoch: page.epoch })).toEqual({
    kind: "stale",
    epoch: page.epoch + 1,
  });
  expect(readHistory(screen, 700).slice(0, 3)).toEqual(["line 0", "line 1", "line 2"]);
});

test("a narrow visitor leaves the wide scrollback as it was", () => {
  const lines = Array.from({ length: 4_000 }, (_, index) => `${index} ${"0123456789".repeat(9)} 漢字`);
  const screen = screenOf(160, 24);
  screen.write(bytesOf(`${lines.join("\r\n")}\r\n`));
  settle(screen);
  const before = screen.text({ kind: "all" });
  screen.resize(45, 24);
  settle(screen);
  screen.resize(160, 24);
  settle(screen);
  expect(screen.text({ kind: "all" }).trimEnd()).toBe(before.trimEnd());
  expect(readHistory(screen, 999).slice(0, 2)).toEqual(lines.slice(0, 2));
});

test("even the narrowest grid keeps every character", () => {
  const screen = screenOf(200, 10);
  const lines = Array.from({ length: 40 }, (_, index) => String(index).padEnd(200, "abcdefghij"));
  // The line that the cursor is in is the program's to draw anew.
  screen.write(bytesOf(`${lines.join("\r\n")}\r\n`));
  screen.resize(2, 10);
  expect(screen.text({ kind: "all" }).replaceAll("\n", "")).toBe(lines.join(""));
});

test("the alternate screen never enters the history", () => {
  const screen = screenOf(40, 10);
  screen.write(bytesOf("shell\r\n\x1b[?1049h"));
  screen.write(bytesOf(numbered(0, 3_000).join("\r\n")));
  settle(screen);
  expect(readHistory(screen, 100)).toEqual([]);
  expect(screen.text({ kind: "screen" }).split("\n")[0]).toBe("line 2990");
  screen.write(bytesOf("\x1b[?1049l"));
  expect(screen.text({ kind: "tail", lines: 50 })).toBe("shell");
});

describe("what erases the scrollback erases all of it", () => {
  for (const [title, sequence] of [
    ["ED 3", "\x1b[3J"],
    ["a full reset", "\x1bc"],
  ] as const) {
    test(title, () => {
      const screen = settle(feedNumbered(5_000, 0));
      screen.write(bytesOf(sequence));
      expect(readHistory(screen, 100)).toEqual([]);
      screen.write(bytesOf(numbered(0, 2_000).join("\r\n")));
      settle(screen);
      expect(readHistory(screen, 1_500).at(-1)).toBe("line 1989");
    });
  }
});

test("tail drops the blank run at the end and keeps blanks inside", () => {
  const screen = screenOf(40, 10);
  screen.write(bytesOf("a\r\n\r\n  b   \r\n \r\n\r\n"));
  expect(screen.text({ kind: "tail", lines: 2 })).toBe("\n  b");
  expect(screen.text({ kind: "tail", lines: 40 })).toBe("a\n\n  b");
  screen.write(bytesOf("\r\n".repeat(5_000)));
  settle(screen);
  expect(screen.text({ kind: "tail", lines: 2 })).toBe("\n  b");
  expect(screenOf().text({ kind: "tail", lines: 5 })).toBe("");
});

test("most rows are not cells in the emulator", () => {
  const screen = feedNumbered(12_000, 0);
  expect(screen.engine.core.buffers.normal.lines.length).toBeLessThanOrEqual(410);
});

test("any mixture of output, rest and width keeps the text of an emulator that keeps everything", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 0, max: 60 }), fc.boolean()), {
        minLength: 1,
        maxLength: 12,
      }),
      (steps) => {
        const resting = screenOf(30, 5);
        const keeping = screenOf(30, 5);
        let count = 0;
        for (const [lines, widthCols, rest] of steps) {
          const text = Array.from({ length: lines }, () => `${count++} ${"x".repeat(widthCols)}\r\n`).join(
            "",
          );
          resting.write(bytesOf(text));
          keeping.write(bytesOf(text));
          if (rest) settle(resting);
        }
        expect(resting.text({ kind: "all" })).toBe(keeping.text({ kind: "all" }));
        expect(resting.text({ kind: "tail", lines: 50 })).toBe(keeping.text({ kind: "tail", lines: 50 }));
        resting.dispose();
        keeping.dispose();
      },
    ),
    { numRuns: 25 },
  );
});
