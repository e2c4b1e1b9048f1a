import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeCoverage } from "./coverage.ts";

const root = join(import.meta.dirname, "..");

function read(path: string): string | null {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined) return null;
  return stat.isDirectory() ? "" : readFileSync(join(root, path), "utf8");
}

test("docs/coverage.md names tests that are there, and its summary is their count", () => {
  const page = readFileSync(join(root, "docs", "coverage.md"), "utf8");
  const { summary, faults } = judgeCoverage(page, read);
  expect(faults).toEqual([]);
  for (const row of summary) expect(page).toContain(row);
});

const head = "## MCP server\n\n| promise | state | proved where |\n| --- | --- | --- |\n";
const wrong: Record<string, [row: string, fault: string]> = {
  "a test that is gone is told": [
    '| a | met | `mcp/mcp.test.ts` "no such test" |',
    'packages/mcp/mcp.test.ts has no "no such test"',
  ],
  "a file that is gone is told": ["| a | met | `mcp/gone.ts` |", "there is no packages/mcp/gone.ts"],
  "a name without a file is told": ['| a | met | "alone" |', '"alone" is of no file'],
  "a state that is none is told": ["| a | nearly | b |", "a row of another shape: | a | nearly | b |"],
};
test.each(Object.entries(wrong))("%s", (_title, [row, fault]) => {
  expect(judgeCoverage(head + row, read).faults).toEqual([fault]);
});

test("rows are counted by topic and state", () => {
  const { summary } = judgeCoverage(`${head}| a | met | |\n| b | not yet | |`, read);
  expect(summary.slice(2)).toEqual(["| MCP server | 0 | 1 | 0 | 1 |", "| **together** | 0 | 1 | 0 | 1 |"]);
});
