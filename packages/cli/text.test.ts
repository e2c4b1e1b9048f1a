import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinShellWords } from "./shell-words.ts";
import { formatTable } from "./table.ts";
import { fit, formatDuration, neutralise, widthOf } from "./text.ts";

test("control characters of a title cannot act on the terminal", () => {
  expect(neutralise("a\x1b]52;c;x\x07b\r\nc\td\x9b1m\x7f")).toBe("a␛]52;c;x␇b c d�1m␡");
  expect(neutralise("user\u202egnp.exe")).toBe("usergnp.exe");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(neutralise(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
  );
});

test("widths are those of terminal cells", () => {
  for (const [text, width] of Object.entries({
    abc: 3,
    漢字: 4,
    "👨‍👩‍👧": 2,
    "👍🏽": 2,
    "❤️": 2,
    "1️⃣": 2,
    "e\u0301": 1,
    ｱ: 1,
  }))
    expect([text, widthOf(text)]).toEqual([text, width]);
});

test("a cut text fits and says that it is cut", () => {
  expect(fit("refactor the parser", 10)).toBe("refactor …");
  expect(fit("漢字漢字", 5)).toBe("漢字…");
  expect(fit("short", 10)).toBe("short");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, width) => {
      expect(widthOf(fit(text, width))).toBeLessThanOrEqual(Math.max(width, 0));
    }),
  );
});

test("a table fits the width, shrinking the widest column that may", () => {
  const columns = [{ title: "ID" }, { title: "NAME", minWidthCols: 6 }, { title: "NOTE", minWidthCols: 4 }];
  const rows = [
    ["1", "a long branch name", "hi"],
    ["22", "b", ""],
  ];
  expect(formatTable(columns, rows, null)).toEqual([
    "ID  NAME                NOTE",
    "1   a long branch name  hi",
    "22  b",
  ]);
  expect(formatTable(columns, rows, 20)).toEqual(["ID  NAME        NOTE", "1   a long br…  hi", "22  b"]);
});

test("durations read at a glance", () => {
  expect([0, 850, 1200, 48_000, 180_000, 9e6, 4 * 864e5].map(formatDuration)).toEqual([
    "0 ms",
    "850 ms",
    "1.2 s",
    "48 s",
    "3 min",
    "3 h",
    "4 d",
  ]);
});

test("plain words stay plain, others are quoted", () => {
  expect(joinShellWords(["claude", "--model=opus", "fix it", "", "it's", "a\\b", "$HOME", "=ls"])).toBe(
    `claude --model=opus 'fix it' '' 'it'\\''s' 'a'\\\\'b' '$HOME' '=ls'`,
  );
});

test("a shell reads joined words back as they were", () => {
  const word = fc.string({
    unit: fc.constantFrom("a", " ", "'", '"', "\\", "$", "`", "*", "~", "#", "!", "é", "{", "\n", ";"),
  });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const line = `printf '%s\\0' ${joinShellWords(words)}`;
      expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" })).toBe(`${words.join("\0")}\0`);
    }),
    { numRuns: 40 },
  );
});
