import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { expect, test } from "vitest";
import { idForTest } from "../store/record-for-test.ts";
import { answerWords, promptWords } from "./reply.ts";

const sent = { id: idForTest(1), cursor: "c", elapsedMs: 1, textBytes: 1, agent: null };
const receipts: [receipt: PromptReceipt, taken: boolean, words: RegExp][] = [
  [{ ...sent, outcome: "accepted", evidence: "state" }, true, /next prompt/],
  [{ ...sent, outcome: "staged", draft: "x" }, true, /not submitted/],
  [{ ...sent, outcome: "blocked", submitted: false, awaiting: null }, false, /something else first/],
  [{ ...sent, outcome: "timeout", submitted: true }, true, /Look at its screen/],
];
test.each(receipts)(
  "a prompt's receipt %# is said, and what was not taken stays in the box",
  (receipt, taken, words) => {
    expect(promptWords(receipt)).toEqual({ taken, words: expect.stringMatching(words) });
  },
);

test("an answer that did not end the question is said to", () => {
  expect(answerWords({ outcome: "answered" }).words).toBe("answered.");
  expect(answerWords({ outcome: "still-asks" }).words).toMatch(/still asks/);
});
