// Rows about the agent in a terminal.
import { z } from "zod";
import { Explanation } from "./agent.ts";
import { PromptParams, PromptReceipt } from "./prompt.ts";
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
