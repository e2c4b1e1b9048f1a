import { expect, test } from "vitest";
import { bytesOf, screenOf } from "./fixtures/screen-of.ts";
import { solidText } from "./solid-text.ts";

const GRID = { cols: 40, rows: 3 };

const cases: Record<string, [vt: string, text: string]> = {
  // As Claude Code 2.1.332 draws it: its own cursor on the first letter.
  "a suggestion leaves its cursor": ["❯\u00a0\x1b[7mP\x1b[0;2mress up to edit\x1b[0m", "❯\u00a0P\n\n"],
  "a draft stays": ["❯\u00a0Press up\x1b[7m \x1b[0m", "❯\u00a0Press up\n\n"],
  "what comes after stays in its column": ["\x1b[2m漢字\x1b[22m|x\r\nsecond", "    |x\nsecond\n"],
  "wide and joined characters stay": ["漢 👨‍👩‍👧 é", "漢 👨‍👩‍👧 é\n\n"],
};

test.each(Object.entries(cases))("%s", (_title, [vt, text]) => {
  const screen = screenOf(GRID.cols, GRID.rows);
  screen.write(bytesOf(vt));
  expect(solidText(screen.snapshot(0), GRID)).toBe(text);
});
