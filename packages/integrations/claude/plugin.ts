// Claude Code for the kernel: the only export of this folder that others see, besides its vocabulary.
import { dirname, join } from "node:path";
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { readClaudeComposer } from "./composer.ts";
import { findSessions, PROJECTS_KEY, SESSIONS_KEY } from "./find.ts";
import { readClaudeScreen } from "./screen.ts";
import { followProcess } from "./session.ts";
import { readClaudeTranscript } from "./transcript-file.ts";
import { claudeVocab } from "./vocab.ts";

/** @param env kolu's own environment: only the override keys are read from it */
export function claudePlugin(env: Readonly<Record<string, string | undefined>>): AgentPlugin {
  return {
    vocab: claudeVocab,
    envKeys: [SESSIONS_KEY, PROJECTS_KEY],
    find: (search) => findSessions(search, env),
    open: (candidate, host) => {
      // The status file lies in <config>/sessions; what else it has lies beside that directory.
      const root = dirname(dirname(candidate.locator));
      const places = {
        sessionsDir: dirname(candidate.locator),
        projectsDir: env[PROJECTS_KEY] || join(root, "projects"),
        tasksDir: join(root, "tasks"),
      };
      return followProcess(candidate.locator, places, host);
    },
    readScreen: readClaudeScreen,
    readComposer: readClaudeComposer,
    readTranscript: (reference) => readClaudeTranscript(reference, env),
  };
}
