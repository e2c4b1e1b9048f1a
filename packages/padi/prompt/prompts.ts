// Prompts into terminals, one at a time in each: those that are asked for now, and the first one of an agent that is only
// just being started.
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { PromptParams, PromptReceipt } from "@kolu/contract/prompt.ts";
import { isRefusal, refuse } from "@kolu/contract/refusals.ts";
import { nextWake } from "../cell.ts";
import { deliverPrompt, type PromptWorld } from "./deliver.ts";
import { noteAgent, readyAt, type Waiting } from "./ready.ts";

export interface Prompts {
  /** Rejects with `no-agent` and `prompt-in-flight` beside what `deliverPrompt` rejects with. */
  prompt(params: PromptParams, signal: AbortSignal): Promise<PromptReceipt>;
  /** Waits until an agent is there and takes prompts, whatever it asks a person before that. Rejects with a reason. */
  promptWhenReady(params: Pick<PromptParams, "id" | "text">, signal: AbortSignal): Promise<PromptReceipt>;
}

export function createPrompts(world: PromptWorld): Prompts {
  const inFlight = new Set<string>();

  async function prompt(params: PromptParams, signal: AbortSignal): Promise<PromptReceipt> {
    const { id } = params;
    if (world.store.require(id).agent === null)
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
  }

  return {
    prompt,
    async promptWhenReady(params, signal) {
      for (;;) {
        await whenReady(params.id, world, signal);
        try {
          return await prompt(params, signal);
        } catch (error) {
          // It began to ask something between our look and the first key.
          if (!isRefusal(error, "agent-awaiting") && !isRefusal(error, "no-agent")) throw error;
        }
      }
    },
  };
}

/** Rejects when the terminal ends, when no agent comes, and when one that came is gone again. */
async function whenReady(id: TerminalId, { store, now }: PromptWorld, signal: AbortSignal): Promise<void> {
  const wakes = new Set<() => void>();
  const stop = store.onChange((changedId) => {
    if (changedId === id) for (const wake of [...wakes]) wake();
  });
  try {
    let waiting: Waiting = { sinceMs: now(), agent: null };
    for (;;) {
      signal.throwIfAborted();
      const record = store.get(id);
      if (record?.life !== "active") throw new Error("its terminal ended before that");
      waiting = noteAgent(waiting, record.agent, now());
      const ready = readyAt(waiting, now());
      if (ready.kind === "never") throw new Error(ready.reason);
      const leftMs = ready.atMs - now();
      if (leftMs <= 0 && ready.kind === "ready") return;
      await nextWake(wakes, AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, leftMs))]));
    }
  } finally {
    stop();
  }
}
