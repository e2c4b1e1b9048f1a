// What people call an agent: the name of its program, which is shorter than its kind and its display name.
import { vocabOf } from "@kolu/agents/vocabs.ts";

/** "Claude Code" for "claude-code": where there is room for the whole name. */
export function displayAgent(kind: string): string {
  return vocabOf(kind)?.displayName ?? kind;
}

/** "claude" for "claude-code"; a kind that this release does not know is named as it is. */
export function nameAgent(kind: string): string {
  return vocabOf(kind)?.grammar.programs[0] ?? kind;
}
