// The agents that kolu knows: the half that reads processes and files. Adding an agent is one package, one row here and one
// in vocabs.ts.
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { claudePlugin } from "@kolu/integration-claude/plugin.ts";
import { codexPlugin } from "@kolu/integration-codex/plugin.ts";
import { grokPlugin } from "@kolu/integration-grok/plugin.ts";
import { ompPlugin } from "@kolu/integration-omp/plugin.ts";
import { opencodePlugin } from "@kolu/integration-opencode/plugin.ts";
import { piPlugin } from "@kolu/integration-pi/plugin.ts";
import { xynePlugin } from "@kolu/integration-xyne/plugin.ts";

/** @param env kolu's own environment, from which an agent's override keys are taken (KOLU_CLAUDE_SESSIONS_DIR and such) */
export function agentPlugins(env: Readonly<Record<string, string | undefined>>): readonly AgentPlugin[] {
  return [
    claudePlugin(env),
    codexPlugin(env),
    grokPlugin(env),
    opencodePlugin(env),
    piPlugin(env),
    ompPlugin(env),
    xynePlugin(env),
  ];
}
