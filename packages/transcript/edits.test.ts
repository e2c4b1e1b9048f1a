import { describe, expect, test } from "vitest";
import { editLines } from "./edits.ts";
import { cutMiddle, plainOutput } from "./text.ts";

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");
const SIGNS = { kept: " ", added: "+", removed: "-", gap: "~" };
const shown = (before: string | null, after: string): string =>
  editLines({ path: "", before, after })
    .lines.map(({ kind, text }) => SIGNS[kind] + text)
    .join("\n");

describe("the lines of an edit", () => {
  const cases: Record<string, [before: string | null, after: string, lines: string]> = {
    "a changed line stands between its neighbours": ["a\nb\nc", "a\nx\nc", " a\n-b\n+x\n c"],
    "a file that was written whole is added": [null, "a\nb\n", "+a\n+b"],
    "an emptied passage is removed": ["a\n", "", "-a"],
    "lines far from a change are left out, with a gap": [
      numbered(1, 20),
      numbered(1, 20).replace("1\n", "one\n").replace("20\n", "twenty\n"),
      "-1\n+one\n 2\n 3\n 4\n~\n 17\n 18\n 19\n-20\n+twenty",
    ],
    "nothing changed": ["a", "a", ""],
  };
  for (const [title, [before, after, lines]] of Object.entries(cases))
    test(title, () => expect(shown(before, after)).toBe(lines));

  test("a huge file is counted whole and shown in part", () => {
    const { added, leftOut, lines } = editLines({ path: "", before: null, after: numbered(1, 5_000) });
    expect({ added, leftOut, shown: lines.length }).toEqual({ added: 5_000, leftOut: 3_000, shown: 2_000 });
  });

  test("two texts with nothing in common are not searched for what they share", () => {
    const { added, removed } = editLines({
      path: "",
      before: numbered(1, 20_000),
      after: numbered(50_000, 70_000),
    });
    expect({ added, removed }).toEqual({ added: 20_001, removed: 20_000 });
  });
});

describe("what a program printed", () => {
  const cases: Record<string, [printed: string, plain: string]> = {
    "has no colours": ["\u001b[1;31mred\u001b[0m", "red"],
    "has no titles or links": ["\u001b]0;t\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\", "ab"],
    "keeps the last state of a line": [" 10%\r 50%\r100%\r\nok", "100%\nok"],
    "keeps an unfinished sequence, which the page shows": ["\u001b[", "\u001b["],
  };
  for (const [title, [printed, plain]] of Object.entries(cases))
    test(title, () => expect(plainOutput(printed)).toBe(plain));

  test("the middle of a long text is left out, and counted", () => {
    expect(cutMiddle("0123456789", 4)).toBe("01\n[… 6 characters left out …]\n89");
    expect(cutMiddle("0123", 4)).toBe("0123");
  });
});
