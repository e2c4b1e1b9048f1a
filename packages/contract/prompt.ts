// A prompt as a transaction: typed, settled, submitted and confirmed by padi, with a receipt that says how far it came.
import { z } from "zod";
import { AgentReading } from "./agent.ts";
import { TerminalId } from "./ids.ts";
import { TIMER_MAX_MS } from "./limits.ts";

export const PromptParams = z.object({
  id: TerminalId.describe("Id of the agent's terminal."),
  text: z.string().min(1).describe("The whole prompt, of one line or many. It is submitted for you."),
  timeoutMs: z
    .int()
    .min(1)
    .max(TIMER_MAX_MS)
    .optional()
    .describe("Give up on a confirmation after this long; 20000 when left out."),
});
export type PromptParams = z.infer<typeof PromptParams>;

const sent = {
  id: TerminalId,
  /** Give it to a wait as `after`. */
  cursor: z.string(),
  elapsedMs: z.int(),
  /** Bytes of the text as it was typed, paste markers included. */
  textBytes: z.int(),
  /** The agent as it stood at the end; null when none is recognised any more. */
  agent: AgentReading.nullable(),
};

export const PromptReceipt = z.discriminatedUnion("outcome", [
  /** The agent has it. `evidence`: its state turned to working, or its own transcript holds the message. */
  z.object({ ...sent, outcome: z.literal("accepted"), evidence: z.enum(["state", "transcript"]) }),
  /** The text stands in the composer and was not submitted; `draft` is what is seen there. */
  z.object({ ...sent, outcome: z.literal("staged"), draft: z.string() }),
  /** The agent asks a person something before it takes the prompt. `submitted`: Enter had been pressed by then. */
  z.object({
    ...sent,
    outcome: z.literal("blocked"),
    submitted: z.boolean(),
    awaiting: z.object({ kind: z.string(), message: z.string().nullable() }).nullable(),
  }),
  /** Nothing was seen that tells: look at the screen before you send it again. */
  z.object({ ...sent, outcome: z.literal("timeout"), submitted: z.boolean() }),
]);
export type PromptReceipt = z.infer<typeof PromptReceipt>;
