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

/** A shell has taken the text in once it has not painted for this long; a screen that never stands still must not hold
 * the Enter back for ever. */
const SETTLED_MS = 150;
const SETTLE_LIMIT_MS = 2_000;

/** An agent gets a prompt, an answer where it asks; a shell gets the text and then Enter. Never rejects. */
export async function sendText(record: TerminalRecord, text: string): Promise<Outcome> {
  if (record.agent !== null && !asks(record)) return sendPrompt(record, text);
  try {
    if (record.agent === null) return await runInShell(record, text);
    const { words, taken } = await replyWithText(record.id, text);
    return { kind: taken ? "done" : "attention", words: words[0]!.toUpperCase() + words.slice(1) };
  } catch (error) {
    return refused(error);
  }
}

/** The whole transaction, which refuses while the agent asks something: never an answer. Never rejects. */
export async function sendPrompt({ id, agent }: TerminalRecord, text: string): Promise<Outcome> {
  try {
    return receiptOutcome(await padi().call("terminal.prompt", { id, text }), agent?.kind ?? "");
  } catch (error) {
    return refused(error);
  }
}

/** What is written now answers a question. */
export function asks({ agent }: TerminalRecord): boolean {
  return agent?.state === "awaiting";
}

async function runInShell({ id }: TerminalRecord, text: string): Promise<Outcome> {
  const { cursor } = await padi().call("terminal.sendInput", { id, text });
  await padi().call("terminal.wait", {
    id,
    until: { kind: "idle", idleMs: SETTLED_MS },
    timeoutMs: SETTLE_LIMIT_MS,
    after: cursor,
  });
  await padi().call("terminal.sendInput", { id, key: "Enter" });
  return { kind: "done", words: "Typed, and Enter pressed." };
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
