// Prompts and answers: prompt/ behind two members.
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { type AnswerWorld, answerTerminal } from "../prompt/answer.ts";
import type { Prompts } from "../prompt/prompts.ts";
import { requireLive } from "./terminals.ts";

export function promptHandlers(
  world: AnswerWorld & { prompts: Prompts },
): Pick<Handlers<PadiContract>, "terminal.prompt" | "terminal.answer"> {
  const { store, prompts } = world;
  return {
    "terminal.answer"(params, { signal }) {
      requireLive(store.require(params.id));
      return answerTerminal(params, world, signal);
    },
    "terminal.prompt"(params, { signal }) {
      requireLive(store.require(params.id));
      if (params.text.trim() === "") throw refuse("text-refused", {}, "The prompt is blank.");
      return prompts.prompt(params, signal);
    },
  };
}
