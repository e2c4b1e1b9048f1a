import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Composer } from "@kolu/anyagent/plugin.ts";
import { expect, test } from "vitest";
import { readGrokComposer } from "./composer.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const captured = (situation: string): string => readFileSync(join(FIXTURES, situation, "screen.txt"), "utf8");
const WIDTH = 72;
const KEYS = "  Enter:send  │  Alt+Enter:newline  │  Shift+Tab:mode  │  Ctrl+x:shortcuts";
const screen = (draft: string[], keys = KEYS): string =>
  [
    "     Worked for 0.3s",
    "",
    `  ╭${"─".repeat(WIDTH + 2)}╮`,
    ...draft.map((line) => `  │ ${line.padEnd(WIDTH)} │`),
    `  ╰${"─".repeat(WIDTH - 11)} Grok Demo ─╯`,
    keys,
  ].join("\n");

const EMPTY = { draft: "", folded: false };

const cases: Record<string, [text: string, composer: Composer | null]> = {
  "the welcome page": [captured("1.0.41/idle-before-prompt"), EMPTY],
  "a narrow welcome page": [captured("1.0.41/screen-welcome-narrow"), EMPTY],
  "a suggestion": [captured("1.0.41/waiting"), EMPTY],
  "a turn that is over": [captured("1.0.41/waiting-after-ask"), EMPTY],
  "an agent at work": [captured("1.0.41/thinking-streaming"), EMPTY],
  "a prompt that is queued": [captured("1.0.41/queued-prompt"), EMPTY],
  "a session with a name": [captured("1.0.41/waiting-renamed"), EMPTY],
  inline: [captured("1.0.41/minimal-responding"), EMPTY],
  "a prompt that came back": [captured("1.0.41/waiting-cancelled"), { draft: "please HANG", folded: false }],
  "a question": [captured("1.0.41/awaiting-ask"), null],
  "a question inline": [captured("1.0.41/minimal-awaiting-ask"), null],
  "a permission": [captured("1.0.41/awaiting-permission"), null],
  "a plan": [captured("1.0.41/awaiting-plan-approval"), null],
  "a narrow plan": [captured("1.0.41/awaiting-plan-narrow"), null],
  "trust in a directory": [captured("1.0.41/screen-trust"), null],
  "sign-in": [captured("1.0.41/screen-sign-in"), null],
  "a panel": [captured("1.0.41/panel-settings"), null],
  "a panel over half a draft": [captured("1.0.41/panel-resume"), null],
  "an agent that has left": [captured("1.0.41/exited"), null],
  "an agent that was killed": [captured("1.0.41/killed-in-tool"), null],
  "a half-typed draft": [screen(["❯ half a thought"]), { draft: "half a thought", folded: false }],
  "a draft at work": [
    screen(["❯ a line", "  and another"], "  Enter:queue  │  Alt+Enter:newline  │  Shift+Tab:mode  │"),
    { draft: "a line\nand another", folded: false },
  ],
  "a draft of several lines": [
    screen(["❯ first line", "", "      an indented one"]),
    { draft: "first line\n\n    an indented one", folded: false },
  ],
  "a draft with a scroll bar": [
    screen([`❯ ${"x".repeat(68)}`, `  ${"x".repeat(68)} ▆`, `${"  xx".padEnd(71)}█`]),
    { draft: `${"x".repeat(68)}\n${"x".repeat(68)}\nxx`, folded: false, clipped: true },
  ],
  "a folded paste": [screen(["❯ [Pasted: 120 lines]"]), { draft: "[Pasted: 120 lines]", folded: true }],
  "a folded paste behind a draft": [
    screen(["❯ and [Pasted: 4 lines]"]),
    { draft: "and [Pasted: 4 lines]", folded: false },
  ],
};

test.each(Object.entries(cases))("%s", (_title, [text, composer]) => {
  expect(readGrokComposer(text)).toEqual(composer);
});

/** The agent put a prompt back, or a command was begun. */
const WITH_DRAFT = ["cancelled-before-first-token", "waiting-cancelled", "menu-model"];
const situations = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version))
    .filter((situation) => !WITH_DRAFT.includes(situation))
    .map((situation) => `${version}/${situation}`),
);
test.each(situations)("nobody has typed anything on the captured screen %s", (situation) => {
  expect(readGrokComposer(captured(situation))?.draft ?? "").toBe("");
});
