// The conversations of every agent that kolu knows, by their kind.
import { agentPlugins } from "@kolu/agents/plugins.ts";
import type { ConversationReference } from "@kolu/anyagent/plugin.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";

/**
 * @param env padi's own environment: the agents' override keys are taken from it
 * @returns reads one conversation whole; null when it is not there, or of an agent that this release does not know
 */
export function openTranscripts(
  env: NodeJS.ProcessEnv,
): (agentKind: string, reference: ConversationReference) => Promise<Transcript | null> {
  const plugins = agentPlugins(env);
  return async (agentKind, reference) => {
    const plugin = plugins.find(({ vocab }) => vocab.kind === agentKind);
    return plugin ? plugin.readTranscript(reference) : null;
  };
}
