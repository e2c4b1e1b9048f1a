// Answering what a terminal asks: one key, or a text that is submitted. A prompt (prompt.ts) is for agents that ask nothing.
import { z } from "zod";
import { TerminalId } from "./ids.ts";

export const AnswerParams = z.object({
  id: TerminalId,
  text: z.string().min(1).optional(),
  /** By name, as in `terminal.sendInput`; a digit is typed as such. */
  key: z.string().optional(),
});
export type AnswerParams = z.infer<typeof AnswerParams>;

export const AnswerReceipt = z.object({
  id: TerminalId,
  /** It asks no more; it asks something else now; or it still asks the same, as far as can be seen. */
  outcome: z.enum(["answered", "asks-again", "still-asks"]),
  /** Enter was pressed after the text. A text that answered by itself is not followed by one. */
  entered: z.boolean(),
});
export type AnswerReceipt = z.infer<typeof AnswerReceipt>;
