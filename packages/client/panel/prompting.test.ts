import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { expect, test } from "vitest";
import { idForTest } from "../store/record-for-test.ts";
import { receiptOutcome } from "./prompting.ts";

const sent = { id: idForTest(1), cursor: "c", elapsedMs: 10, textBytes: 4, agent: null };
const cases: Record<string, [PromptReceipt, words: string]> = {
  "accepted by its state": [
    { ...sent, outcome: "accepted", evidence: "state" },
    "Accepted: Claude Code has it, it began to work.",
  ],
  "accepted by its transcript": [
    { ...sent, outcome: "accepted", evidence: "transcript" },
    "Accepted: Claude Code has it, it is in its transcript.",
  ],
  staged: [
    { ...sent, outcome: "staged", draft: "x" },
    "Staged: it stands in Claude Code's composer and was not submitted. Press Enter there when it is right.",
  ],
  "blocked by a question": [
    { ...sent, outcome: "blocked", submitted: false, awaiting: { kind: "question", message: "Which one?" } },
    "Blocked: Claude Code asks something first (Which one?). The prompt was not submitted.",
  ],
  "blocked after Enter": [
    { ...sent, outcome: "blocked", submitted: true, awaiting: null },
    "Blocked: Claude Code asks something first. The prompt was submitted and waits behind it.",
  ],
  timeout: [
    { ...sent, outcome: "timeout", submitted: true },
    "No answer: nothing told in time whether Claude Code took it. Enter was pressed; look at the terminal before you send it again.",
  ],
};

test.each(Object.entries(cases))("%s", (_name, [receipt, words]) => {
  expect(receiptOutcome(receipt, "claude-code")).toEqual({
    kind: receipt.outcome === "accepted" ? "done" : "attention",
    words,
  });
});
