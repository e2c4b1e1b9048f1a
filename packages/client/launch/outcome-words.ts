// What is said of a first prompt that did not arrive. Pure.
import type { LaunchFrame } from "@kolu/contract/padi.ts";

type Outcome = Extract<LaunchFrame, { kind: "prompted" }>["outcome"];

/** Null: the agent has it, and its tile shows that. */
export function outcomeWords(outcome: Outcome, name: string): string | null {
  if (outcome.kind === "failed") return `The first prompt of ${name} was not given: ${outcome.reason}.`;
  const { receipt } = outcome;
  switch (receipt.outcome) {
    case "accepted":
      return null;
    case "staged":
      return `The first prompt of ${name} stands in its composer and was not submitted: press Enter there.`;
    case "blocked":
      return `${name} asks something before it takes its first prompt: answer that, then look whether the prompt is still there.`;
    case "timeout":
      return `Nobody can tell whether ${name} took its first prompt: look at it.`;
    default:
      return receipt satisfies never;
  }
}
