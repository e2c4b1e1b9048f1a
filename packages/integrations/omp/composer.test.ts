import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOmpComposer } from "./composer.ts";
import { keyForOmpPaste, readOmpScreen } from "./screen.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const captured = (situation: string): string => readFileSync(join(FIXTURES, situation, "screen.txt"), "utf8");
const IDLE = " π > ⬢ Demo Large > 🗑 project ▶────9%───────╎───┃──────200K─";
const WORKING = " ⠴ 2s > ⬢ Demo Large > 🗑 project ▶────9%───────╎───┃──────200K─";
const screen = (draft: string[], bar = IDLE): string =>
  [" hello", "", " Hello!", "", bar, ...draft].join("\n");
/** 18.2.3 at 80 columns, after a paste of 120 lines. */
const PASTE_DIALOG = [
  `╭─ Pasted 120 lines ${"─".repeat(58)}╮`,
  ...[
    "",
    " ❯ Attach as a wrapped block",
    "     Wrap the text in <attachment> tags, collapsed to a marker",
    "   Attach as local file",
    "     Save the text to a local://paste file",
    "   Paste inline",
    "     Collapse the text to an inline paste marker",
    "",
    "Esc to paste inline",
    "",
  ].map((line) => `│ ${line.padEnd(75)} │`),
  `╰${"─".repeat(77)}╯`,
].join("\n");

const EMPTY = { draft: "", folded: false };

const cases: Record<string, [text: string, composer: { draft: string; folded: boolean } | null]> = {
  "a fresh start": [captured("18.2.3/idle-fresh-breadcrumb"), EMPTY],
  "a turn that is over": [captured("18.2.3/waiting"), EMPTY],
  "an agent at work": [captured("18.2.3/thinking"), EMPTY],
  "sub-agents at work": [captured("18.2.3/subagent-background"), EMPTY],
  "a question": [captured("18.2.3/awaiting_input-ask"), null],
  "a permission": [captured("18.2.3/awaiting_input-allow-tool"), null],
  "a plan": [captured("18.2.3/plan-review"), null],
  "the list of sessions": [captured("18.2.3/picker-before-any-session"), null],
  "what to do with a long paste": [PASTE_DIALOG, null],
  "an agent that has left": [captured("18.2.3/exited"), null],
  "an agent that was killed": [captured("18.2.3/killed-in-tool"), null],
  "a half-typed draft": [screen(["╰─ half a thought"]), { draft: "half a thought", folded: false }],
  "a draft of several lines, at work": [
    screen(["╰─ first line", "", "       an indented one"], WORKING),
    { draft: "first line\n\n    an indented one", folded: false },
  ],
  "a draft above completions": [
    screen(["╰─ /co", "❯ 🖥  computer          Computer: off", "  📡 collab            Collab: off"]),
    { draft: "/co", folded: false },
  ],
  "a folded paste": [screen(["╰─ 📄 #1"]), { draft: "📄 #1", folded: true }],
  "two folded pastes": [screen(["╰─ 📄 #1 📄 #2"]), { draft: "📄 #1 📄 #2", folded: false }],
};

test.each(Object.entries(cases))("%s", (_title, [text, composer]) => {
  expect(readOmpComposer(text)).toEqual(composer);
});

const situations = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((situation) => `${version}/${situation}`),
);
test.each(situations)("nobody has typed anything on the captured screen %s", (situation) => {
  expect(readOmpComposer(captured(situation))?.draft ?? "").toBe("");
});

test("a paste is left as it is where that very paste is asked about", () => {
  const pasted = Array.from({ length: 120 }, (_, at) => `line ${at}`).join("\n");
  expect(keyForOmpPaste(PASTE_DIALOG, pasted)).toBe("Escape");
  expect(keyForOmpPaste(PASTE_DIALOG, `${pasted}\none more`)).toBeNull();
  expect(keyForOmpPaste(screen(["╰─"]), pasted)).toBeNull();
});

test("what to do with a long paste is asked in a dialog", () => {
  expect(readOmpScreen(PASTE_DIALOG)).toEqual({
    name: "paste dialog",
    state: "awaiting",
    awaiting: { kind: "dialog", message: "Pasted 120 lines" },
  });
});
