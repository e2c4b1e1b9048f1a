import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { expect, test } from "vitest";
import { readPiComposer } from "./composer.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const captured = (situation: string): string => readFileSync(join(FIXTURES, situation, "screen.txt"), "utf8");
const RULE = "─".repeat(80);
const FACTS = ["~/project", "↑1.4k ↓42 0.7%/200k (auto)                          demo-large"];
const screen = (draft: string[], { upper = RULE, lower = RULE, below = [] as string[] } = {}): string =>
  [" hello", "", " Hello!", "", upper, ...draft, lower, ...below, ...FACTS].join("\n");

const EMPTY = { draft: "", folded: false };

const cases: Record<string, [text: string, composer: Composer | null]> = {
  "a fresh start": [captured("1.6.0/idle-no-session"), EMPTY],
  "a turn that is over": [captured("1.6.0/waiting"), EMPTY],
  "an agent at work": [captured("1.6.0/thinking"), EMPTY],
  "an API that fails": [captured("1.6.0/waiting-error-retrying"), EMPTY],
  "0.73.1": [captured("0.73.1/fresh"), EMPTY],
  "an extension's question": [captured("1.6.0/extension-question-not-in-band"), null],
  "an extension's gate": [captured("1.6.0/extension-gate-not-in-band"), null],
  "trust in a folder": [captured("1.6.0/trust"), null],
  "the list of sessions": [captured("1.6.0/dialog-resume-picker"), null],
  "an agent that has left": [captured("1.6.0/exited"), null],
  "an agent that was killed": [captured("1.6.0/killed-in-tool"), null],
  "a half-typed draft": [screen(["half a thought"]), { draft: "half a thought", folded: false }],
  "a draft of several lines": [
    screen(["first line", "second line", "", "    an indented one"]),
    { draft: "first line\nsecond line\n\n    an indented one", folded: false },
  ],
  "a draft at work": [
    screen(["a line", "and another"], { upper: `── ⠏ Working ${"─".repeat(60)}` }),
    { draft: "a line\nand another", folded: false },
  ],
  "a long draft": [
    screen(["9. keep"], {
      upper: `─── ↑ 8 more ${"─".repeat(60)}`,
      lower: `─── ↓ 3 more ${"─".repeat(60)}`,
    }),
    { draft: "9. keep", folded: false, clipped: true },
  ],
  "a long draft at work": [
    screen(["1", "2", "3", "4", "5"], { upper: `── ⠏ Working ${"─".repeat(60)}` }),
    { draft: "1\n2\n3\n4\n5", folded: false, clipped: true },
  ],
  "a draft above completions": [
    screen(["/co"], { below: ["→ copy           Copy last agent message", "  compact        Compact"] }),
    { draft: "/co", folded: false },
  ],
  "a folded paste": [screen(["[paste #1 +120 lines]"]), { draft: "[paste #1 +120 lines]", folded: true }],
  "a folded line": [screen(["[paste #1 1500 chars]"]), { draft: "[paste #1 1500 chars]", folded: true }],
  "a folded paste behind a draft": [
    screen(["and [paste #1 +12 lines]"]),
    { draft: "and [paste #1 +12 lines]", folded: false },
  ],
};

test.each(Object.entries(cases))("%s", (_title, [text, composer]) => {
  expect(readPiComposer(text)).toEqual(composer);
});

const situations = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((situation) => `${version}/${situation}`),
);
test.each(situations)("nobody has typed anything on the captured screen %s", (situation) => {
  expect(readPiComposer(captured(situation))?.draft ?? "").toBe("");
});
