// Oh My Pi for the kernel: the only export of this folder that others see, besides its vocabulary.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { readOmpComposer } from "./composer.ts";
import { findSessions } from "./find.ts";
import { DIR_KEY } from "./places.ts";
import { keyForOmpPaste, readOmpScreen } from "./screen.ts";
import { openSession } from "./session.ts";
import { readOmpTranscript } from "./transcript.ts";
import { ompVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override key is read from it */
export function ompPlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  const options = { overrides: env, hidesEnvironments: process.platform === "darwin" };
  return {
    vocab: ompVocab,
    envKeys: [DIR_KEY],
    find: (search) => findSessions(search, options),
    open: openSession,
    readScreen: readOmpScreen,
    readComposer: readOmpComposer,
    keyForPaste: keyForOmpPaste,
    readTranscript: readOmpTranscript,
  };
}
