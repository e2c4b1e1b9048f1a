// How an agent's conversation is brought back after its process died. Pure.

import { vocabOf } from "@kolu/agents/vocabs.ts";
import {
  findInvocation,
  type Invocation,
  quoteWords,
  resumeWords,
  shellWords,
  startWords,
  useOf,
} from "@kolu/anyagent/command-line.ts";
import type { AgentVocab } from "@kolu/anyagent/vocab.ts";
import type { AgentReading } from "@kolu/contract/agent.ts";

export interface WayBack {
  /** To be typed at a prompt. */
  line: string;
  /** Exactly this conversation; the newest of its directory, because nobody knows which it was; or none, because nothing
   * was said in it. */
  on: "conversation" | "newest" | "fresh";
}

/**
 * The agent as it was started, on exactly this conversation. One that never had a prompt has nothing to come back to and is
 * started afresh.
 * @param startedBy the command line that started it, null when nobody saw it
 * @returns null when this agent cannot be resumed, or not on this conversation: never another one instead
 */
export function wayBackOf(agent: AgentReading, startedBy: string | null): WayBack | null {
  const vocab = vocabOf(agent.kind);
  if (vocab === null) return null;
  const invocation = invocationOf(vocab, startedBy);
  const reference = agent[vocab.resume.reference];
  const words = agent.prompted ? resumeWords(invocation, reference) : startWords(invocation);
  if (words === null) return null;
  return {
    line: quoteWords(words),
    on: agent.prompted ? (reference === null ? "newest" : "conversation") : "fresh",
  };
}

/** A line that starts a session of this agent, as it may be offered again: the agent's own flags kept, prompts and
 * conversations left out; `recent` is null for a session that leaves nothing behind. */
export function startOf(agentKind: string, line: string): { recent: string | null } | null {
  const vocab = vocabOf(agentKind);
  const invocation = vocab && findInvocation(shellWords(line), [vocab]);
  if (!invocation) return null;
  if (useOf(invocation) === "ephemeral") return { recent: null };
  const words = startWords(invocation);
  return words && { recent: quoteWords(words) };
}

/** The command that installs the agent from its registry; null where we know of none. */
export function installLine(agentKind: string): string | null {
  const name = vocabOf(agentKind)?.grammar.packages[0];
  return name === undefined ? null : `npm install -g ${name}`;
}

function invocationOf(vocab: AgentVocab, startedBy: string | null): Invocation {
  const found = startedBy === null ? null : findInvocation(shellWords(startedBy), [vocab]);
  return found ?? { vocab, prefix: [], argv: [vocab.grammar.programs[0]!] };
}

/** False for an agent whose records do not tell when a turn ends. An unknown kind is taken to report them. */
export function reportsTurns(agentKind: string): boolean {
  return vocabOf(agentKind)?.reportsTurns ?? true;
}
