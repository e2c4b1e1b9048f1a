// Which agent is in the foreground: process names first, then the command that the shell marked or the terminal was
// created with. A running process's argv is never used. Pure.
import { findInvocation, type Invocation, shellWords, useOf } from "./command-line.ts";
import type { ProcessEntry } from "./process-tree.ts";
import { type AgentVocab, isProgramName } from "./vocab.ts";

export interface RecogniseInput {
  /** The foreground group's tree, nearest first. */
  chain: readonly ProcessEntry[];
  /** Words of the running command, as marked by the shell or given at the start; null at a prompt or without marks. */
  commandWords: readonly string[] | null;
}

export interface Recognised {
  vocab: AgentVocab;
  /** The agent's own process; null while only the command names it (its process is still starting, or calls itself
   * something else). */
  process: ProcessEntry | null;
  /** The invocation by which the command names it, null when only a process does. */
  invocation: Invocation | null;
  /** In words, for the explanation. */
  matchedBy: string;
}

export function recognise(input: RecogniseInput, vocabs: readonly AgentVocab[]): Recognised | null {
  const invocation = input.commandWords === null ? null : findInvocation(input.commandWords, vocabs);
  // `agent update` is the agent's program but no session; the mark knows it, the process name does not.
  if (invocation !== null && useOf(invocation) === "other") return null;
  for (const process of input.chain) {
    const vocab = vocabs.find((one) => isProgramName(process.name, one.grammar.programs));
    if (vocab === undefined) continue;
    const own = invocation?.vocab === vocab ? invocation : null;
    return { vocab, process, invocation: own, matchedBy: `process ${process.pid} is called ${process.name}` };
  }
  if (invocation === null || input.chain.length === 0) return null;
  return {
    vocab: invocation.vocab,
    process: null,
    invocation,
    matchedBy: `the command starts ${invocation.argv[0]}`,
  };
}

/** Words of the running command. A finished command names nothing. */
export function runningCommandWords(
  rootArgv: readonly string[] | null,
  command: { line: string; running: boolean } | null,
): string[] | null {
  if (rootArgv !== null) return [...rootArgv];
  return command?.running ? shellWords(command.line) : null;
}
