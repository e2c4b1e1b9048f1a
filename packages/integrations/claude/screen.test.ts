import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readClaudeScreen } from "./screen.ts";

const captured = (situation: string) =>
  readFileSync(join(import.meta.dirname, "fixtures", situation, "screen.txt"), "utf8");
const COMPOSER = ["─".repeat(60), "❯ ", "─".repeat(60), "  ⏸ manual mode on · ? for shortcuts"];

describe("dialogs", () => {
  const cases: Record<string, [text: string, kind: string, message: string | null]> = {
    "trust in a folder": [
      captured("2.1.332/screen-firstrun-trust"),
      "dialog",
      "Quick safety check: Is this a project you created or one you trust?",
    ],
    "an API key": [captured("2.1.332/screen-firstrun-apikey"), "dialog", "Do you want to use this API key?"],
    "a question": [captured("2.1.332/awaiting-ask"), "question", "Which colour should the button be?"],
    "a question above 2.1.197's task list": [
      captured("2.1.197/awaiting-ask"),
      "question",
      "Which colour should the button be?",
    ],
    "a command's gate": [
      captured("2.1.332/awaiting-permission-bash"),
      "permission",
      "Do you want to proceed?",
    ],
    "a write's gate": [
      captured("2.1.332/awaiting-permission-write"),
      "permission",
      "Do you want to create out.txt?",
    ],
    "a workflow's gate": [
      captured("2.1.332/awaiting-workflow-gate"),
      "permission",
      "Run a dynamic workflow?",
    ],
    "a plan with its file": [
      captured("2.1.332/plan-approval"),
      "plan",
      "Claude has written up a plan and is ready to execute. Would you like to proceed?",
    ],
    "a plan without one": [
      [
        "Exit plan mode?",
        "",
        "Claude wants to exit plan mode",
        "",
        "❯ 1. Yes, and switch to default",
        "  2. No",
      ].join("\n"),
      "plan",
      "Exit plan mode?",
    ],
    "an old session's resumption": [
      [
        "This session is 2d 3h old and 150k tokens.",
        "Resuming the full session uses a lot of your usage limits. Resuming from a summary uses less.",
        "❯ 1. Resume from summary (instant, recommended)",
        "  2. Resume full session as-is",
        "  3. Don't ask again",
      ].join("\n"),
      "dialog",
      null,
    ],
  };
  for (const [title, [text, kind, message]] of Object.entries(cases)) {
    it(title, () => expect(readClaudeScreen(text)?.awaiting).toEqual({ kind, message }));
  }
});

describe("what only looks like a dialog", () => {
  const cases: Record<string, string[]> = {
    "the chrome of a gate as prose above the composer": [
      "● The prompt looks like this:",
      "  Do you want to proceed?",
      "  ❯ 1. Yes",
      "    2. No",
      "  Esc to cancel · Tab to amend",
      ...COMPOSER,
    ],
    "the same inside a diff": [
      "   3 + Enter to select · ↑/↓ to navigate · Esc to cancel",
      "   4 + ❯ 1. Yes, and don't ask again for",
      "   5 + Enter to confirm · Esc to cancel",
      ...COMPOSER,
    ],
    "a numbered list at the very bottom": ["Would you like to proceed?", "  1. Yes", "  2. No"],
    "a list with a prompt sign but another title": ["Steps", "❯ 1. Build", "  2. Test"],
    "a spinner": ["✽ Fermenting… (2s · ↓ 4 tokens)", ...COMPOSER],
    nothing: [""],
  };
  for (const [title, lines] of Object.entries(cases)) {
    it(title, () => expect(readClaudeScreen(lines.join("\n"))).toBeNull());
  }
});
