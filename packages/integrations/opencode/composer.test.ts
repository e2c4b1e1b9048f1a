import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOpencodeComposer } from "./composer.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const captured = (situation: string): string => readFileSync(join(FIXTURES, situation, "screen.txt"), "utf8");
const screen = (...draft: string[]): string =>
  `${frame(...draft)}\n   ~/project        8.1K (6%)  ctrl+p commands`;
const frame = (...draft: string[]): string =>
  [
    "     ▣  Build · Demo Model · 11.7s",
    "",
    "  ┃",
    ...draft.map((line) => `  ┃  ${line}`),
    "  ┃",
    "  ┃  Build · Demo Model Stand-in",
    `  ╹${"▀".repeat(75)}`,
  ].join("\n");

const EMPTY = { draft: "", folded: false };

const cases: Record<string, [text: string, composer: { draft: string; folded: boolean } | null]> = {
  "the start page, with a suggestion": [captured("1.18.33/idle-fresh"), EMPTY],
  "a narrow start page": [captured("1.18.33/screen-narrow-fresh"), EMPTY],
  "a turn that is over": [captured("1.18.33/waiting"), EMPTY],
  "facts on two lines": [captured("1.18.33/screen-narrow-waiting"), EMPTY],
  "beside a sidebar": [captured("1.18.33/screen-wide-waiting"), EMPTY],
  "an agent at work": [captured("1.18.33/tool-use"), EMPTY],
  "a prompt that is queued": [captured("1.18.33/queued-prompt"), EMPTY],
  "a permission": [captured("1.18.33/awaiting-permission-shell"), null],
  "words for a refusal": [captured("1.18.33/screen-refusal-words-typed"), null],
  "a question": [captured("1.18.33/awaiting-question"), null],
  "the list of sessions": [captured("1.18.33/screen-sessions"), null],
  "the palette": [captured("1.18.33/screen-palette"), null],
  "a sub-agent's view": [captured("1.18.33/screen-child-view"), null],
  "an agent that has left": [captured("1.18.33/screen-after-exit"), null],
  "a half-typed draft": [screen("half a thought"), { draft: "half a thought", folded: false }],
  "a draft of several lines": [
    screen("a line", "", "  an indented one"),
    { draft: "a line\n\n  an indented one", folded: false },
  ],
  "a folded paste": [screen("[Pasted ~120 lines]"), { draft: "[Pasted ~120 lines]", folded: true }],
  "a folded paste behind a draft": [
    screen("and [Pasted ~4 lines]"),
    { draft: "and [Pasted ~4 lines]", folded: false },
  ],
  "a draft of wide letters beside a sidebar": [
    screen(`${"日本".repeat(17)}     LSP`),
    { draft: "日本".repeat(17), folded: false },
  ],
  "a draft below completions": [
    screen("/co").replace("  ┃\n", "  ┃ /connect    Connect provider       ┃\n  ┃\n"),
    { draft: "/co", folded: false },
  ],
  "a prompt that came back": [
    captured("1.18.33/screen-undone"),
    { draft: "second TODO hello", folded: false },
  ],
  "nothing below it": [frame("half a thought"), null],
};

test.each(Object.entries(cases))("%s", (_title, [text, composer]) => {
  expect(readOpencodeComposer(text)).toEqual(composer);
});

const situations = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((situation) => `${version}/${situation}`),
);
test.each(situations.filter((situation) => !situation.endsWith("screen-undone")))(
  "nobody has typed anything on the captured screen %s",
  (situation) => {
    expect(readOpencodeComposer(captured(situation))?.draft ?? "").toBe("");
  },
);
