// Pi for the kernel: the only export of this folder that others see, besides its vocabulary.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { readPiComposer } from "./composer.ts";
import { findSessions } from "./find.ts";
import { readPiScreen } from "./screen.ts";
import { openSession } from "./session.ts";
import { DIR_KEY } from "./store.ts";
import { readPiTranscript } from "./transcript.ts";
import { piVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override key is read from it */
export function piPlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  return {
    vocab: piVocab,
    envKeys: [DIR_KEY],
    find: (search) => findSessions(search, env),
    open: openSession,
    readScreen: readPiScreen,
    readComposer: readPiComposer,
    readTranscript: (reference) => readPiTranscript(reference, env),
  };
}
