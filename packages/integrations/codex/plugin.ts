// Codex for the kernel: the only export of this folder that others see, besides its vocabulary.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { readCodexComposer } from "./composer.ts";
import { findSessions, type Locator } from "./find.ts";
import { DATABASE_KEY } from "./places.ts";
import { readCodexScreen } from "./screen.ts";
import { followThread } from "./session.ts";
import { createStore } from "./store.ts";
import { readCodexTranscript } from "./transcript.ts";
import { codexVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override key is read from it */
export function codexPlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  const store = createStore();
  return {
    vocab: codexVocab,
    envKeys: [DATABASE_KEY],
    moveSigns: ["files", "in-band"],
    find: (search) => findSessions(search, env, store),
    open: (candidate, host) => followThread(JSON.parse(candidate.locator) as Locator, store, host),
    readScreen: readCodexScreen,
    readComposer: readCodexComposer,
    readTranscript: (reference) => readCodexTranscript(reference, env),
  };
}
