// Rows about the agent in a terminal.
import { z } from "zod";
import { Explanation } from "./agent.ts";
import { TRANSCRIPT_MAX_BYTES } from "./limits.ts";
import { PromptParams, PromptReceipt } from "./prompt.ts";
import { ReadTranscript } from "./transcript.ts";
import { defined, id, READS, TYPES, verb } from "./verb.ts";

export const lifecyclePrompt = verb({
  name: "lifecycle_prompt",
  title: "Prompt an agent",
  description:
    "Gives a whole prompt to the agent in a terminal: types it, lets it settle, submits it and confirms it, in one call. Prefer it to sendInput for prompts, above all for long ones. `accepted`: the agent has it. `staged`: it stands in the composer, press Enter. `blocked`: the agent asks something, read the screen. `timeout`: nothing told, read the screen before you send it again. It refuses, and types nothing, when the agent already asks something or when a draft of somebody else stands in the composer.",
  method: "terminal.prompt",
  input: PromptParams,
  output: PromptReceipt,
  toParams: (input) => defined(input),
  toOutput: (receipt) => receipt,
  refusals: [
    "no-agent",
    "agent-awaiting",
    "draft-in-composer",
    "prompt-in-flight",
    "text-refused",
    "input-queue-full",
    "terminal-not-found",
    "terminal-gone",
    "terminal-not-live",
    "kaval-unreachable",
  ],
  annotations: TYPES,
});

export const agentExplain = verb({
  name: "agent_explain",
  title: "Explain an agent's state",
  description:
    "Why kolu says what it says about the agent in a terminal: every signal with its value and age, which one decided, which disagreed, and what was looked for and not found. For when a state looks wrong.",
  method: "terminal.explain",
  input: z.object({ id }),
  output: Explanation,
  toParams: (input) => input,
  toOutput: (explanation) => explanation,
  refusals: ["terminal-not-found", "terminal-gone"],
  annotations: READS,
});

/** What an agent takes in at once without being flooded. */
const ITEMS_AT_ONCE = 20;
const BYTES_AT_ONCE = 48 * 1024;

export const transcriptRead = verb({
  name: "transcript_read",
  title: "Read an agent's conversation",
  description:
    "What was said and done in a terminal's agent, from its own files: prompts, answers, reasoning, tool calls with their results, edits. The newest items, oldest first; `firstIndex` is the index of the first one here, `itemCount` how many there are. For the page above give `firstIndex` as `before`; for what is new since, the index of the last item that you have as `after` (the result of a tool that still runs is filled in later). Where the agent has left, the conversation that was there last.",
  method: "transcript.read",
  input: z.object({
    id,
    last: z.int().min(1).default(ITEMS_AT_ONCE).describe("So many items at most, the newest."),
    after: z.int().min(0).optional().describe("Only items after the one with this index."),
    before: z.int().min(0).optional().describe("Only items before the one with this index."),
    maxBytes: z
      .int()
      .min(1)
      .max(TRANSCRIPT_MAX_BYTES)
      .default(BYTES_AT_ONCE)
      .describe(
        "Size of the answer at most: long texts of tools lose their middle, then the oldest items are left out.",
      ),
  }),
  output: ReadTranscript.required({ firstIndex: true, itemCount: true }),
  toParams: (input) => defined(input),
  toOutput: (transcript) => ({
    ...transcript,
    firstIndex: transcript.firstIndex ?? 0,
    itemCount: transcript.itemCount ?? transcript.items.length,
  }),
  refusals: ["no-agent", "no-transcript", "transcript-too-large", "terminal-not-found", "terminal-gone"],
  annotations: READS,
});
