import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCodexComposer } from "./composer.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const captured = (situation: string): string => readFileSync(join(FIXTURES, situation, "screen.txt"), "utf8");
const screen = (...composer: string[]): string =>
  ["• All done.", "", "  Worked for 6s • 08:55", "", "", ...composer, "", ...FACTS].join("\n");
const FACTS = [
  "  demo-model default · ~/project",
  "                                                       ⚠ 1 warning · f2 to view",
];

const EMPTY = { draft: "", folded: false };

const cases: Record<string, [text: string, composer: { draft: string; folded: boolean } | null]> = {
  "a fresh thread": [captured("0.171.0/idle-fresh"), EMPTY],
  "a turn that is over": [captured("0.171.0/waiting"), EMPTY],
  "an answer that streams": [captured("0.171.0/thinking"), EMPTY],
  "a command that runs": [captured("0.171.0/tool-use"), EMPTY],
  "an approval": [captured("0.171.0/awaiting-approval"), null],
  "a question": [captured("0.171.0/awaiting-ask"), null],
  "a plan": [captured("0.171.0/plan-approval"), null],
  "trust in a folder": [captured("0.171.0/screen-trust"), null],
  "the list of sessions": [captured("0.171.0/screen-resume-picker"), null],
  "the command center": [captured("0.171.0/screen-command-center"), null],
  "an agent that was killed": [captured("0.171.0/killed-mid-tool"), null],
  "before the folder is trusted": ["› Ask Codex to do anything\n\n  ? for shortcuts", null],
  "a half-typed draft": [screen("› half a thought"), { draft: "half a thought", folded: false }],
  "a draft of several lines": [
    screen("› first line", "  second line", "", "      an indented one"),
    { draft: "first line\nsecond line\n\n    an indented one", folded: false },
  ],
  "a folded paste": [
    screen("› [Pasted Content 3143 chars]"),
    { draft: "[Pasted Content 3143 chars]", folded: true },
  ],
  "a folded paste behind a draft": [
    screen("› and [Pasted Content 3143 chars]"),
    { draft: "and [Pasted Content 3143 chars]", folded: false },
  ],
  "a shell's prompt below it": [`${screen("› half a thought")}\n$ ls`, null],
};

test.each(Object.entries(cases))("%s", (_title, [text, composer]) => {
  expect(readCodexComposer(text)).toEqual(composer);
});

const situations = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((situation) => `${version}/${situation}`),
);
test.each(situations)("nobody has typed anything on the captured screen %s", (situation) => {
  expect(readCodexComposer(captured(situation))?.draft ?? "").toBe("");
});
