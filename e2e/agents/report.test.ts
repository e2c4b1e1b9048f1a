import { expect, test } from "vitest";
import { agentsPage, tally } from "./report.ts";
import type { Outcome } from "./situations.ts";

const outcome = (expected: string, seen: string, ok: boolean, delayMs: number | null = null): Outcome => ({
  title: "a | b",
  expected,
  seen,
  ok,
  delayMs,
  listedMs: null,
});

test("counts who was needed and not called, and who was called for nothing", () => {
  const outcomes = [
    outcome("awaiting (question)", "awaiting (question) by title", true, 30),
    outcome("awaiting (question)", "tool_use by transcript", false, 10),
    outcome("thinking", "awaiting (dialog) by screen", false),
    outcome("awaiting (plan)", "awaiting (question) by screen", false, 20),
  ];
  expect(tally(outcomes)).toEqual({
    situations: 4,
    right: 1,
    missedAwaiting: 1,
    falseAwaiting: 1,
    medianMs: 20,
    worstMs: 30,
  });
});

test("a bar in a title does not end its cell", () => {
  const outcomes = [outcome("waiting", "waiting\nmore", true)];
  const page = agentsPage([{ kind: "acme", version: "1.0", outcomes }]);
  expect(page).toContain("| a \\| b | waiting | waiting |  |  |");
});

test("what was not played now stays on the page, in the order of the agents", () => {
  const outcomes = [outcome("waiting", "waiting", true, 5)];
  const both = agentsPage([
    { kind: "pi", version: "1.0", outcomes },
    { kind: "codex", version: "2.0", outcomes },
  ]);
  expect(both.match(/^## .*/gm)).toEqual(["## Codex 2.0", "## Pi 1.0"]);
  expect(agentsPage([], both)).toBe(both);
  const newer = agentsPage([{ kind: "codex", version: "2.1", outcomes }], both);
  expect(newer.match(/^## .*/gm)).toEqual(["## Codex 2.1", "## Pi 1.0"]);
  expect(newer.match(/^\| (?:Codex|Pi) \|.*/gm)).toHaveLength(2);
});
