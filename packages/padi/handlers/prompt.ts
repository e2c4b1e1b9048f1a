// Prompts: prompt/ behind one member, one at a time in each terminal.
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { deliverPrompt, type PromptWorld } from "../prompt/deliver.ts";
import { requireLive } from "./terminals.ts";

export function promptHandlers(world: PromptWorld): Pick<Handlers<PadiContract>, "terminal.prompt"> {
  const inFlight = new Set<string>();
  return {
    async "terminal.prompt"(params, { signal }) {
      const { id, text } = params;
      const record = world.store.require(id);
      requireLive(record);
      if (text.trim() === "") throw refuse("text-refused", {}, "The prompt is blank.");
      if (record.agent === null)
        throw refuse(
          "no-agent",
          { id },
          "No agent runs in this terminal (yet): start one, or type into its shell with sendInput.",
        );
      if (inFlight.has(id))
        throw refuse(
          "prompt-in-flight",
          { id },
          "Another prompt is on its way into this terminal. Wait for its receipt.",
        );
      inFlight.add(id);
      try {
        return await deliverPrompt(params, world, signal);
      } finally {
        inFlight.delete(id);
      }
    },
  };
}
