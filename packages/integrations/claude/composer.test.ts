import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readClaudeComposer } from "./composer.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const captured = (situation: string): string => readFileSync(join(FIXTURES, situation, "screen.txt"), "utf8");
const RULE = "─".repeat(60);
const screen = (...composer: string[]): string =>
  ["● Done.", "", RULE, ...composer, RULE, "  ⏸ manual mode on · ? for shortcuts"].join("\n");

const EMPTY = { draft: "", folded: false };

const cases: Record<string, [text: string, composer: { draft: string; folded: boolean } | null]> = {
  "a fresh session": [captured("2.1.332/idle-fresh"), EMPTY],
  "a turn that is over": [captured("2.1.332/waiting"), EMPTY],
  "an agent at work": [captured("2.1.332/thinking-first-turn"), EMPTY],
  "2.1.197 with its task list": [captured("2.1.197/tasks-in-progress"), EMPTY],
  "a session with a name": [captured("2.1.332/idle-after-clear"), EMPTY],
  "greyed words while prompts are queued": [captured("2.1.332/queued-prompt-while-retrying"), EMPTY],
  "a folded paste": [
    captured("2.1.332/screen-paste-placeholder"),
    { draft: "[Pasted text #1 +4 lines]", folded: true },
  ],
  "a prompt that came back after an interruption": [
    captured("2.1.332/waiting-after-esc-before-output"),
    { draft: "ERR(500) again", folded: false },
  ],
  "a question": [captured("2.1.332/awaiting-ask"), null],
  "a command's gate": [captured("2.1.332/awaiting-permission-bash"), null],
  "a plan": [captured("2.1.332/plan-approval"), null],
  "trust in a folder": [captured("2.1.332/screen-firstrun-trust"), null],
  "a half-typed draft": [screen("❯\u00a0make it bl"), { draft: "make it bl", folded: false }],
  "a draft of several lines": [
    screen("❯\u00a0first", "  second", "", "    indented"),
    { draft: "first\nsecond\n\n  indented", folded: false },
  ],
  "a suggestion": [screen('❯\u00a0Try "refactor parser.ts"'), EMPTY],
  "a shell prompt below an ended session": [`${screen("❯\u00a0")}\n${"$ ls\nfile\n".repeat(12)}`, null],
  "no composer at all": ["$ ls\n$ ", null],
};

test.each(Object.entries(cases))("%s", (_title, [text, composer]) => {
  expect(readClaudeComposer(text)).toEqual(composer);
});

const situations = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((situation) => `${version}/${situation}`),
);
test.each(situations.filter((situation) => !situation.endsWith("esc-before-output")))(
  "nobody has typed anything on the captured screen %s",
  (situation) => {
    const composer = readClaudeComposer(captured(situation));
    expect(composer === null || composer.draft === "" || composer.folded).toBe(true);
  },
);
