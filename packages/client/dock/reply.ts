// Answering a terminal from the dock: an answer where something is asked, a prompt where an agent waits. padi does both as
// transactions, and the receipt says what came of it.
import type { AnswerReceipt } from "@kolu/contract/answer.ts";
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { padi } from "../store/workspace.ts";

type Id = TerminalRecord["id"];

/** What came of a reply, in words; `taken`: the text has left the box. */
export interface ReplyOutcome {
  words: string;
  taken: boolean;
}

/** Rejects with what padi said: then nothing was typed. */
export async function replyWithText(id: Id, text: string): Promise<ReplyOutcome> {
  try {
    return answerWords(await padi().call("terminal.answer", { id, text }));
  } catch (error) {
    // It went on meanwhile: what was meant as an answer is its next prompt.
    if (!isRefusal(error, "nothing-asked")) throw error;
    return promptWords(await padi().call("terminal.prompt", { id, text }));
  }
}

/** A digit is typed as text, anything else is a named key. */
export async function replyWithKey(id: Id, key: string): Promise<void> {
  await padi().call("terminal.sendInput", /^\d$/.test(key) ? { id, text: key } : { id, key });
}

/** Pure. */
export function answerWords({ outcome }: Pick<AnswerReceipt, "outcome">): ReplyOutcome {
  switch (outcome) {
    case "answered":
      return { words: "answered.", taken: true };
    case "asks-again":
      return { words: "answered, and it asks something else.", taken: true };
    case "still-asks":
      return { words: "it still asks. Look at its screen.", taken: true };
    default:
      return outcome satisfies never;
  }
}

/** Pure. */
export function promptWords(receipt: PromptReceipt): ReplyOutcome {
  switch (receipt.outcome) {
    case "accepted":
      return { words: "it asked no more and took this as its next prompt.", taken: true };
    case "staged":
      return { words: "the text stands in its composer and was not submitted.", taken: true };
    case "blocked":
      return { words: "it asks something else first.", taken: receipt.submitted };
    case "timeout":
      return { words: "nothing confirms that it arrived. Look at its screen.", taken: true };
    default:
      return receipt satisfies never;
  }
}
