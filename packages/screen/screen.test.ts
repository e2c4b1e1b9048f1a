import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dumpScreen } from "./dump.ts";
import { bytesOf, screenOf } from "./fixtures/screen-of.ts";

const STREAMS = new URL("./fixtures/streams/", import.meta.url);

describe("columns that a character takes", () => {
  const widths: Record<string, number> = {
    "👨‍👩‍👧": 2,
    "👍🏽": 2,
    "❤️": 2,
    "1️⃣": 2,
    漢: 2,
    ｱ: 1,
    é: 1,
    "e\u0301": 1,
    "±": 1,
    "─": 1,
    "⏺": 1,
    "✻": 1,
  };
  for (const [text, widthCols] of Object.entries(widths)) {
    test(`${text} takes ${widthCols}`, () => {
      const screen = screenOf();
      screen.write(bytesOf(text));
      expect(screen.engine.core.buffers.active.x).toBe(widthCols);
      expect(screen.text({ kind: "tail", lines: 1 })).toBe(text);
    });
  }
});

test("characters cut at any byte are whole again", () => {
  for (const text of ["─", "“curly” — dash … •", "漢字", "👨‍👩‍👧", "a─b"]) {
    const bytes = bytesOf(text);
    for (let cut = 1; cut < bytes.length; cut++) {
      const screen = screenOf();
      screen.write(bytes.subarray(0, cut));
      screen.write(bytes.subarray(cut));
      screen.write(bytesOf("x"));
      expect(screen.text({ kind: "tail", lines: 1 }), `cut at ${cut}`).toBe(`${text}x`);
    }
  }
});

describe("the screen does not depend on how the bytes were cut", () => {
  for (const name of readdirSync(STREAMS)) {
    const bytes = readFileSync(new URL(name, STREAMS)).subarray(0, 60_000);
    const whole = screenOf(120, 40);
    whole.write(bytes);
    const expected = dumpScreen(whole, 500);

    test(`${name}, cut at random`, () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 60 }), (cuts) => {
          const screen = screenOf(120, 40);
          const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          for (let index = 1; index < places.length; index++)
            screen.write(bytes.subarray(places[index - 1], places[index]));
          expect(dumpScreen(screen, 500)).toEqual(expected);
          screen.dispose();
        }),
        { numRuns: 4 },
      );
    });
  }

  test("one byte at a time", () => {
    const bytes = readFileSync(new URL("claude-osc7501.raw", STREAMS));
    const whole = screenOf(120, 40);
    const single = screenOf(120, 40);
    whole.write(bytes);
    for (let index = 0; index < bytes.length; index++) single.write(bytes.subarray(index, index + 1));
    expect(dumpScreen(single, 500)).toEqual(dumpScreen(whole, 500));
  });
});

describe("each query is answered once", () => {
  const cases: Record<string, [query: string, answer: string]> = {
    DA1: ["\x1b[c", "\x1b[?1;2c"],
    DA2: ["\x1b[>c", "\x1b[>0;276;0c"],
    XTVERSION: ["\x1b[>q", "\x1bP>|kolu(1.2.3)\x1b\\"],
    "XTVERSION with a parameter": ["\x1b[>0q", "\x1bP>|kolu(1.2.3)\x1b\\"],
    "DSR 5": ["\x1b[5n", "\x1b[0n"],
    "DSR 6": ["\x1b[3;7H\x1b[6n", "\x1b[3;7R"],
    DECXCPR: ["\x1b[3;7H\x1b[?6n", "\x1b[?3;7R"],
    "DECRQM of a mode that is on": ["\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;1$y"],
    "DECRQM of synchronized output": ["\x1b[?2026$p", "\x1b[?2026;2$y"],
    "DECRQM of an unknown mode": ["\x1b[?31337$p", "\x1b[?31337;0$y"],
    "DECRQSS SGR of the plain pen": ["\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"],
    "DECRQSS SGR": ["\x1b[1;4:3;31;48;2;1;2;3m\x1bP$qm\x1b\\", "\x1bP1$r0;1;4:3;31;48;2;1;2;3m\x1b\\"],
    "DECRQSS cursor style": ["\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\"],
    "DECRQSS scroll region": ["\x1b[2;5r\x1bP$qr\x1b\\", "\x1bP1$r2;5r\x1b\\"],
    "DECRQSS of what we do not know": ["\x1bP$qz\x1b\\", "\x1bP0$r\x1b\\"],
    "OSC 10": ["\x1b]10;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"],
    "OSC 11": ["\x1b]11;?\x1b\\", "\x1b]11;rgb:1010/1010/1010\x1b\\"],
    "OSC 12": ["\x1b]12;?\x07", "\x1b]12;rgb:ffff/ffff/ffff\x1b\\"],
    "OSC 10 and 11 in one": [
      "\x1b]10;?;?\x07",
      "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\\x1b]11;rgb:1010/1010/1010\x1b\\",
    ],
    "OSC 11 after a program set it": ["\x1b]11;#123\x07\x1b]11;?\x07", "\x1b]11;rgb:1111/2222/3333\x1b\\"],
    "OSC 11 after it was set back": [
      "\x1b]11;#123\x07\x1b]111\x07\x1b]11;?\x07",
      "\x1b]11;rgb:1010/1010/1010\x1b\\",
    ],
    "window size in pixels stays silent": ["\x1b[14t", ""],
    "window size in cells stays silent": ["\x1b[18t", ""],
    "window title stays silent": ["\x1b]2;secret\x07\x1b[21t", ""],
    "a palette colour stays silent": ["\x1b]4;1;?\x07", ""],
    "the clipboard stays silent": ["\x1b]52;c;?\x07", ""],
    "ENQ stays silent": ["\x05", ""],
    "DA3 stays silent": ["\x1b[=c", ""],
  };
  for (const [title, [query, answer]] of Object.entries(cases)) {
    test(title, () => {
      let replies = "";
      const screen = screenOf(80, 24, {
        onReply(text) {
          replies += text;
        },
      });
      screen.write(bytesOf(query));
      expect(replies).toBe(answer);
    });
  }
});

test("a theme that changes answers anew", () => {
  let replies = "";
  const screen = screenOf(80, 24, {
    onReply(text) {
      replies += text;
    },
  });
  screen.setColors({ foreground: "#000000", background: "#ffffff", cursor: "#ff0000" });
  screen.write(bytesOf("\x1b]11;?\x07"));
  expect(replies).toBe("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
});

test("a title that a program pushed comes back", () => {
  const titles: string[] = [];
  const screen = screenOf(80, 24, { onTitle: (title) => titles.push(title) });
  screen.write(bytesOf("\x1b]2;shell\x07\x1b[22;0t\x1b]0;vim\x07\x1b[23;0t"));
  expect(titles).toEqual(["shell", "vim", "shell"]);
});

test("erasing above from the bottom right corner does not end the parser", () => {
  for (const mode of ["", "\x1b[?1049h"]) {
    const screen = screenOf(80, 24);
    screen.write(bytesOf(`${mode}top\x1b[24;80H\x1b[1Jend`));
    expect(screen.text({ kind: "tail", lines: 5 }).trim()).toBe("e\nnd");
  }
});

test("20 000 links in a dense listing cost no time", () => {
  const screen = screenOf(120, 40);
  let listing = "";
  for (let index = 0; index < 20_000; index++)
    listing += `\x1b]8;;file:///some/where/${index}\x1b\\file-${index}\x1b]8;;\x1b\\ ${index % 6 === 5 ? "\r\n" : ""}`;
  // The emulator's own table needs tens of seconds for this; a test that times out is the measure.
  for (let round = 0; round < 5; round++) screen.write(bytesOf(listing));
  const copy = screenOf(120, 40);
  copy.write(screen.snapshot(1_000));
  expect(copy.text({ kind: "screen" })).toBe(screen.text({ kind: "screen" }));
  expect(Buffer.from(screen.snapshot(0)).toString()).toContain("\x1b]8;;file:///some/where/19990\x1b\\");
});

describe("resume shows what was, and starts on a fresh row without its modes", () => {
  const cases: Record<string, [content: string, tail: string]> = {
    "a shell": ["$ ls\r\na b\r\n$ ", "$ ls\na b\n$\n── note ──"],
    "a coloured program in modes": [
      "\x1b[31;1mred\x1b[?2004h\x1b[?1003h\x1b[?1006h\x1b[?1h\x1b[?25l\x1b[4h\x1b[2;3r\x1b(0\x1b[?6h\x1b[?7l",
      "red\n── note ──",
    ],
    "the alternate screen": ["before\r\n\x1b[?1049hTUI\x1b[5;5Hthere", "before\n── note ──"],
    "a cut sequence": ["text\x1b]2;never ends", "text\n── note ──"],
    "a cut character": ["text\xe2\x94", "text\n── note ──"],
    nothing: ["", "── note ──"],
    "a full screen": [
      Array.from({ length: 24 }, (_, row) => `row ${row}`).join("\r\n"),
      `row 22\nrow 23\n── note ──`,
    ],
  };
  for (const [title, [content, tail]] of Object.entries(cases)) {
    test(title, () => {
      const old = screenOf();
      old.write(Buffer.from(content, title === "a cut character" ? "latin1" : "utf8"));
      let replies = "";
      const screen = screenOf(100, 30, {
        onReply(text) {
          replies += text;
        },
      });
      screen.resume({ cols: 80, rows: 24, vt: old.snapshot(10_000) }, "── note ──");
      expect(replies).toBe("");
      expect(screen.text({ kind: "tail", lines: tail.split("\n").length })).toBe(tail);
      const fresh = screenOf(100, 30);
      const state = (dump: string[]): string[] =>
        dump.slice(30).filter((line) => !/^(cursor|tabs|saved)/.test(line));
      expect(state(dumpScreen(screen))).toEqual(state(dumpScreen(fresh)));
      screen.write(bytesOf("after"));
      expect(screen.text({ kind: "tail", lines: 2 })).toBe("── note ──\nafter");
    });
  }
});
