// What situations are made of, for every agent alike: expectations of a state, and what a person does at a terminal.
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentReading } from "@kolu/contract/agent.ts";
import type { Expectation, Situation } from "./situations.ts";
import type { Terminal } from "./stage.ts";

/** An agent's second start, on a busy machine. */
const WAKES_WITHIN_MS = 60_000;

export type Holds = (agent: AgentReading) => boolean;
export type Act = (terminal: Terminal) => Promise<void>;
type Step = [title: string, act: Act, expected: Expectation, timeoutMs?: number];

/** @param word what the witness calls it; @param words what else must hold, for the table */
export function state(
  name: AgentReading["state"],
  word: string | null,
  words = "",
  more: Holds = () => true,
): Expectation {
  return {
    words: words === "" ? name : `${name}, ${words}`,
    word,
    holds: (record) => {
      const agent = record?.agent ?? null;
      return agent !== null && agent.state === name && more(agent);
    },
  };
}

export const noAgent: Expectation = {
  words: "no agent",
  word: null,
  holds: (record) => record?.agent === null,
};

export function asksFor(kind: string, word: string | null = null): Expectation {
  return state("awaiting", word, kind, (agent) => agent.awaiting?.kind === kind);
}

export function types(text: string): Act {
  return (terminal) => terminal.enter(text);
}

export function presses(...keys: string[]): Act {
  return async (terminal) => {
    for (const key of keys) await terminal.press(key);
  };
}

export const goesOn: Act = async () => {};

/** Nothing may change for so long. No signal tells of that. */
export function lasts(ms: number): Act {
  return () => sleep(ms);
}

export const settles: Act = (terminal) => terminal.settles();

const asleep: Expectation = {
  words: "asleep",
  word: null,
  holds: (record) => record?.life === "sleeping",
};

/** kolu itself ends the agent and starts it again: on exactly this conversation. */
export function sleepsAndWakes(terminal: Terminal, same: Expectation): Situation[] {
  const again = { ...same, word: null };
  return on(terminal, [
    ["put to sleep", (one) => one.putToSleep(), asleep, WAKES_WITHIN_MS],
    ["… and woken", (one) => one.wake(), again, WAKES_WITHIN_MS],
    ["… is up", settles, again],
  ]);
}

export const dies: Act = async (terminal) => {
  process.kill(terminal.agent()!.pid!, "SIGKILL");
};

export function on(terminal: Terminal, steps: readonly Step[]): Situation[] {
  return steps.map(([title, act, expected, timeoutMs]) => ({
    title,
    act,
    expected,
    timeoutMs,
    terminal: async () => terminal,
  }));
}
