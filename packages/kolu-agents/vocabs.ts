// The agents that kolu knows: the neutral half of the list, for pages and command lines. plugins.ts is the other half.
import type { AgentVocab } from "@kolu/anyagent/vocab.ts";
import { claudeVocab } from "@kolu/integration-claude/vocab.ts";
import { codexVocab } from "@kolu/integration-codex/vocab.ts";
import { grokVocab } from "@kolu/integration-grok/vocab.ts";
import { ompVocab } from "@kolu/integration-omp/vocab.ts";
import { opencodeVocab } from "@kolu/integration-opencode/vocab.ts";
import { piVocab } from "@kolu/integration-pi/vocab.ts";
import { xyneVocab } from "@kolu/integration-xyne/vocab.ts";

export const agentVocabs: readonly AgentVocab[] = [
  claudeVocab,
  codexVocab,
  grokVocab,
  opencodeVocab,
  piVocab,
  ompVocab,
  xyneVocab,
];

/** Null for a kind that this release does not know, which a newer padi may well send. */
export function vocabOf(kind: string): AgentVocab | null {
  return agentVocabs.find((vocab) => vocab.kind === kind) ?? null;
}
