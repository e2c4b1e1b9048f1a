// Grok Build for the kernel: the only export of this folder that others see, besides its vocabulary.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { readGrokComposer } from "./composer.ts";
import { createSessionFinder } from "./find.ts";
import { GROK_DIR_KEY } from "./places.ts";
import { readGrokScreen } from "./screen.ts";
import { openSession } from "./session.ts";
import { readGrokTranscript } from "./transcript.ts";
import { grokVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override key is read from it */
export function grokPlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  const finder = createSessionFinder(env);
  return {
    vocab: grokVocab,
    envKeys: [GROK_DIR_KEY],
    moveSigns: ["files"],
    find: (search) => finder.find(search),
    open: openSession,
    readScreen: readGrokScreen,
    readComposer: readGrokComposer,
    readTranscript: readGrokTranscript,
  };
}
