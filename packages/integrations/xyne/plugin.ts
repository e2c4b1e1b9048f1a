// Xyne for the kernel: the only export of this folder that others see, besides its vocabulary.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { findSessions } from "./find.ts";
import { openSession } from "./session.ts";
import { DIR_KEY } from "./store.ts";
import { readXyneTranscript } from "./transcript.ts";
import { xyneVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override key is read from it */
export function xynePlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  return {
    vocab: xyneVocab,
    envKeys: [DIR_KEY],
    find: (search) => findSessions(search, env),
    open: openSession,
    // Nobody here has seen its screen.
    readScreen: () => null,
    readTranscript: (reference) => readXyneTranscript(reference, env),
  };
}
