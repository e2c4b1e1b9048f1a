// A prompt from the page: given to padi's transaction, and what became of it in words.
import type { PromptReceipt } from "@kolu/contract/prompt.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { replyWithText } from "../dock/reply.ts";
import { brandOf } from "../marks/brand.ts";
import { padi } from "../store/workspace.ts";

export interface Outcome {
  kind: "done" | "attention";
  words: string;
}

/** An agent gets the whole transaction; a shell gets the text and then Enter. Never rejects. */
export async function sendPrompt(record: TerminalRecord, text: string): Promise<Outcome> {
  try {
    if (record.agent === null) {
      await replyWithText(record.id, text);
      return { kind: "done", words: "Typed, and Enter pressed." };
    }
    return receiptOutcome(await padi().call("terminal.prompt", { id: record.id, text }), record.agent.kind);
  } catch (error) {
    return refused(error);
  }
}

/** Typed as one paste and not submitted. Never rejects. */
export async function insertText({ id }: TerminalRecord, text: string): Promise<Outcome> {
  try {
    await padi().call("terminal.sendInput", { id, text, paste: true });
    return { kind: "done", words: "It stands in the terminal, not submitted." };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): Outcome {
  return {
    kind: "attention",
    words: `Not sent. ${error instanceof Error ? error.message : String(error)}`,
  };
}

const EVIDENCE: Record<Extract<PromptReceipt, { outcome: "accepted" }>["evidence"], string> = {
  state: "it began to work",
  transcript: "it is in its transcript",
};

/** Pure. */
export function receiptOutcome(receipt: PromptReceipt, agentKind: string): Outcome {
  const name = brandOf(agentKind).displayName;
  switch (receipt.outcome) {
    case "accepted":
      return { kind: "done", words: `Accepted: ${name} has it, ${EVIDENCE[receipt.evidence]}.` };
    case "staged":
      return {
        kind: "attention",
        words: `Staged: it stands in ${name}'s composer and was not submitted. Press Enter there when it is right.`,
      };
    case "blocked":
      return {
        kind: "attention",
        words: `Blocked: ${name} asks something first${asked(receipt.awaiting)}. ${
          receipt.submitted
            ? "The prompt was submitted and waits behind it."
            : "The prompt was not submitted."
        }`,
      };
    case "timeout":
      return {
        kind: "attention",
        words: `No answer: nothing told in time whether ${name} took it. ${
          receipt.submitted ? "Enter was pressed" : "Enter was not pressed"
        }; look at the terminal before you send it again.`,
      };
    default:
      return receipt satisfies never;
  }
}

function asked(awaiting: { kind: string; message: string | null } | null): string {
  return awaiting === null ? "" : ` (${awaiting.message ?? awaiting.kind})`;
}
