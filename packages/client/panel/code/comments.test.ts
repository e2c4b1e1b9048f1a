import { expect, test } from "vitest";
import { type LineComment, promptOf } from "./comments.ts";

const comment = (changed: Partial<LineComment>): LineComment => ({
  id: "1",
  path: "src/a.ts",
  side: "new",
  from: 3,
  to: 3,
  quote: "const a = 1;",
  text: "Why 1?\n",
  ...changed,
});

test("one comment is a prompt with its place and its line", () => {
  expect(promptOf([comment({})])).toBe(
    "A comment on the code. Please address it.\n\nsrc/a.ts:3\n> const a = 1;\nWhy 1?",
  );
});

test("several are numbered, by file and line, and lines that are gone say so", () => {
  const prompt = promptOf([
    comment({ path: "src/b.ts", text: "last" }),
    comment({ from: 9, to: 10, side: "old", quote: "x\ny", text: "second" }),
    comment({ text: "first" }),
  ]);
  expect(prompt.split("\n\n")).toEqual([
    "3 comments on the code. Please address each of them.",
    "1. src/a.ts:3\n> const a = 1;\nfirst",
    "2. src/a.ts:9-10 (before the change)\n> x\n> y\nsecond",
    "3. src/b.ts:3\n> const a = 1;\nlast",
  ]);
});

test("a long quote loses its middle", () => {
  const quote = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join("\n");
  const lines = promptOf([comment({ quote })]).split("\n");
  expect(lines).toContain("> … 18 more lines …");
  expect(lines.filter((line) => line.startsWith("> "))).toHaveLength(13);
});
