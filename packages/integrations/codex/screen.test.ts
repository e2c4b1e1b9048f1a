import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCodexScreen } from "./screen.ts";

const captured = (situation: string) =>
  readFileSync(join(import.meta.dirname, "fixtures", "0.171.0", situation, "screen.txt"), "utf8");
const COMPOSER = [
  "",
  "› Ask Codex to do anything",
  "",
  "  demo-model default · ~/p · x",
  "  ← for agents · ? for shortcuts",
];
const APPROVAL = [
  "  Would you like to run the following command?",
  "  $ rm -rf build",
  "› 1. Yes, proceed (y)",
  "  2. No, and tell Codex what to do differently (esc)",
  "  Press enter to confirm or esc to cancel",
];

describe("dialogs", () => {
  const cases: Record<string, [text: string, kind: string, message: string | null]> = {
    "a command's approval": [
      captured("awaiting-approval"),
      "permission",
      "Would you like to run the following command? touch /tmp/demo/outside.txt",
    ],
    "several questions": [captured("awaiting-ask"), "question", "Which colour should the button be?"],
    "one question": [captured("no-daemon-ask"), "question", "Which colour should the button be?"],
    "a plan": [captured("plan-approval"), "plan", "Implement this plan?"],
    "trust in a folder": [captured("screen-trust"), "dialog", "Trust this folder?"],
    "sign-in": [captured("screen-sign-in"), "dialog", null],
    "another way to sign in": [captured("screen-sign-in-other"), "dialog", null],
    "which thread to resume": [captured("screen-resume-picker"), "dialog", null],
    "where a new thread runs": [
      [
        "  Where should the new conversation run?",
        "› 1. Use current Git worktree  Keep using the current working directory",
        "  2. Create new Git worktree   Create a separate checkout",
        "  enter select · esc back",
      ].join("\n"),
      "dialog",
      "Where should the new conversation run?",
    ],
  };
  for (const [title, [text, kind, message]] of Object.entries(cases)) {
    it(title, () => expect(readCodexScreen(text)?.awaiting).toEqual({ kind, message }));
  }
});

describe("what only looks like a dialog", () => {
  const cases: Record<string, string[]> = {
    "an approval quoted as prose above the composer": [
      "› what does it ask?",
      "• It shows this:",
      ...APPROVAL,
      ...COMPOSER,
    ],
    "the same inside a diff": ["› edit", ...APPROVAL.map((line) => `    12 + ${line}`), ...COMPOSER],
    "a working line quoted while an answer streams": [
      "› hi",
      "• It says",
      '  "• Working (3s • esc to interrupt)"',
      ...COMPOSER,
    ],
    "a footer alone": ["some output of another program", "Press enter to continue"],
    "a question's footer in a shell's output": [
      "$ cat notes",
      "tab to add notes | enter to submit answer | esc to interrupt",
    ],
    "a dialog that was left in the scrollback of a shell": [...APPROVAL, "user@host:~$ ls", "a  b"],
  };
  for (const [title, lines] of Object.entries(cases)) {
    it(title, () => expect(readCodexScreen(lines.join("\n"))).toBeNull());
  }
});

describe("the composer", () => {
  const cases: Record<string, [lines: string[], state: string | null]> = {
    "right below an ended turn": [["› hi", "• Hello", "  Worked for 5s • 08:55", ...COMPOSER], "waiting"],
    "with a suggestion that changes": [
      [
        "› hi",
        "• Hello",
        "  Worked for 1m 5s • 08:55",
        "› Find and fix a bug in @filename",
        "  demo-model default · ~/p",
      ],
      "waiting",
    ],
    "below an interruption": [["› hi", "■ Conversation interrupted - use /feedback", ...COMPOSER], "waiting"],
    "below a running background terminal": [
      ["› hi", "  Worked for 5s • 08:55", "  1 background terminal running · /ps to view", ...COMPOSER],
      "waiting",
    ],
    "of a fresh start": [["  >_ OpenAI Codex (v0.171.0)", "     ~/p", ...COMPOSER], "waiting"],
    "below the working line": [["› hi", "• Working (2s • esc to interrupt)", ...COMPOSER], "thinking"],
    "below the working line of a second turn": [
      [
        "› a",
        "  Worked for 5s • 08:55",
        "› b",
        "• Working (2s • esc to interrupt) · 1 background terminal running",
        ...COMPOSER,
      ],
      "thinking",
    ],
    "while an answer streams, without any sign": [["› hi", "• Hello from", ...COMPOSER], null],
    "with a draft of several lines that quotes a dialog": [
      [
        "› hi",
        "• Hello",
        "  Worked for 5s • 08:55",
        "› look at this",
        "  Press enter to confirm or esc to cancel",
        "  demo-model default · ~/p",
      ],
      "waiting",
    ],
    "that another program's output follows": [
      ["› hi", "  Worked for 5s • 08:55", ...COMPOSER, "Pane is dead"],
      null,
    ],
  };
  for (const [title, [lines, state]] of Object.entries(cases)) {
    it(title, () => expect(readCodexScreen(lines.join("\n"))?.state ?? null).toBe(state));
  }
});
