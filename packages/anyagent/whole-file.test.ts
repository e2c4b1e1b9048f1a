import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readLines } from "./whole-file.ts";

const dir = mkdtempSync(join(tmpdir(), "whole-file-"));
afterAll(() => rmSync(dir, { recursive: true }));

const long = "語".repeat(200_000);
const cases: Record<string, [content: string, lines: string[]]> = {
  "every line, oldest first": ["a\nb\nc\n", ["a", "b", "c"]],
  "empty lines are left out": ["\n\na\n\nb\n", ["a", "b"]],
  "a last line without a newline is handed over": ["a\nb", ["a", "b"]],
  "a line that is longer than a read stays whole, no character cut": [`${long}\nb\n`, [long, "b"]],
  "an empty file has none": ["", []],
};

describe("the lines of a file", () => {
  for (const [title, [content, expected]] of Object.entries(cases)) {
    test(title, async () => {
      const path = join(dir, "file.jsonl");
      writeFileSync(path, content);
      const lines: string[] = [];
      expect(await readLines(path, (line) => lines.push(line))).toEqual({ skippedLines: 0 });
      expect(lines).toEqual(expected);
    });
  }

  test("a file that is not there is told apart from one that cannot be read", async () => {
    expect(await readLines(join(dir, "absent"), () => {})).toBeNull();
    await expect(readLines(dir, () => {})).rejects.toThrow(`cannot read ${dir}`);
  });
});
