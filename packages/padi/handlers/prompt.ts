// Prompts: prompt/ behind one member.
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Prompts } from "../prompt/prompts.ts";
import type { TerminalStore } from "../terminals/store.ts";
import { requireLive } from "./terminals.ts";

export function promptHandlers({
  store,
  prompts,
}: {
  store: TerminalStore;
  prompts: Prompts;
}): Pick<Handlers<PadiContract>, "terminal.prompt"> {
  return {
    "terminal.prompt"(params, { signal }) {
      requireLive(store.require(params.id));
      if (params.text.trim() === "") throw refuse("text-refused", {}, "The prompt is blank.");
      return prompts.prompt(params, signal);
    },
  };
}
