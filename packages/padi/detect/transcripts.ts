// The conversations of every agent that kolu knows, by their kind.

import { stat } from "node:fs/promises";
import type { AgentPlugin, ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";

/** @param maxFileBytes a larger file of one conversation is not read; absent: any is */
export type ReadTranscriptOf = (
  agentKind: string,
  reference: ConversationReference,
  options?: { maxFileBytes?: number },
) => Promise<Transcript | null>;

/** The file of a conversation is larger than the caller would have it read. */
export class ConversationTooLarge extends Error {
  constructor(bytes: number) {
    super(`its conversation takes ${Math.round(bytes / 1024 / 1024)} MiB on disk`);
    this.name = "ConversationTooLarge";
  }
}

/**
 * @returns reads one conversation whole; null when it is not there, or of an agent that this release does not know.
 * Rejects with ConversationTooLarge, or as the agent's reader does
 */
export function openTranscripts(plugins: readonly AgentPlugin[]): ReadTranscriptOf {
  return async (agentKind, reference, { maxFileBytes = Number.POSITIVE_INFINITY } = {}) => {
    const plugin = plugins.find(({ vocab }) => vocab.kind === agentKind);
    if (!plugin) return null;
    const bytes =
      plugin.sharesOneFile || reference.sessionPath === null ? 0 : await sizeOf(reference.sessionPath);
    if (bytes > maxFileBytes) throw new ConversationTooLarge(bytes);
    return plugin.readTranscript(reference);
  };
}

/** Of what cannot be looked at, the agent's reader says why. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
