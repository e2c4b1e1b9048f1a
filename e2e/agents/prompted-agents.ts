// The agents that prompts are given to, each brought to its composer: where a prompt can be typed and what it takes to clear
// it. The model notes what it is asked, so that a prompt is followed to its end.

import type { AgentState } from "@kolu/contract/agent.ts";
import type { ModelScript } from "../stand-in-model/server.ts";
import { CLAUDE_VERSION, openClaude } from "./claude.agents.ts";
import { CODEX_VERSION, openCodex } from "./codex.agents.ts";
import { GROK_VERSION, openGrok } from "./grok.agents.ts";
import { OMP_VERSION, openOmp } from "./omp.agents.ts";
import { OPENCODE_VERSION, openOpencode } from "./opencode.agents.ts";
import { openPi, PI_START, PI_VERSION } from "./pi.agents.ts";
import type { Stage, Terminal } from "./stage.ts";

/** A first start on a busy machine; Codex copies a server of 300 MB into its home before that. */
const FIRST_START_MS = 120_000;

export interface PromptedAgent {
  kind: string;
  open(script: ModelScript): Promise<Stage>;
  /** A terminal whose agent stands at its composer, below a shell that takes no notice when it is stopped. */
  start(stage: Stage): Promise<Terminal>;
  /** Empties the composer. */
  clearingKey: string;
  /** A prompt that makes it ask, words of its dialog, and the key that answers. */
  asking: { text: string; shows: string; answeringKey: string };
}

/** @param claudeVersion of Claude Code; the others are played at the release that their own runners name */
export function promptedAgents(claudeVersion = CLAUDE_VERSION): PromptedAgent[] {
  return [
    {
      kind: "claude-code",
      open: (script) => openClaude(claudeVersion, script),
      start: (stage) => (stage as Awaited<ReturnType<typeof openClaude>>).start("", withoutJobs),
      clearingKey: "C-u",
      asking: { text: "ASK", shows: "Red", answeringKey: "enter" },
    },
    {
      kind: "codex",
      open: (script) => openCodex(CODEX_VERSION, script),
      start: async (stage) => {
        // It shows a composer for a moment before it asks whether the folder is trusted.
        const terminal = await startIn(stage, "codex", "awaiting");
        await terminal.press("enter");
        await rests(stage, terminal);
        return terminal;
      },
      clearingKey: "C-c",
      asking: { text: "PERM(touch outside.txt)", shows: "Yes, proceed", answeringKey: "enter" },
    },
    {
      kind: "opencode",
      open: (script) => openOpencode(OPENCODE_VERSION, script),
      start: (stage) => startIn(stage, "opencode"),
      clearingKey: "C-c",
      asking: { text: "ASK", shows: "Red", answeringKey: "enter" },
    },
    {
      kind: "grok",
      open: (script) => openGrok(GROK_VERSION, script),
      start: (stage) => startIn(stage, "grok"),
      clearingKey: "C-c",
      asking: { text: "ASK", shows: "Red", answeringKey: "enter" },
    },
    {
      kind: "pi",
      open: (script) => openPi(PI_VERSION, script),
      start: (stage) => startIn(stage, PI_START),
      clearingKey: "C-c",
      asking: { text: "ASK", shows: "Red", answeringKey: "enter" },
    },
    {
      kind: "omp",
      open: (script) => openOmp(OMP_VERSION, script),
      start: (stage) => startIn(stage, "omp"),
      clearingKey: "C-c",
      asking: { text: "ASK", shows: "Red", answeringKey: "enter" },
    },
  ];
}

/** A shell that has no jobs does not notice that one is stopped. */
function withoutJobs(command: string): string {
  return `sh -c '${command}; true'`;
}

async function startIn(stage: Stage, command: string, state: AgentState = "waiting"): Promise<Terminal> {
  const terminal = await stage.openShell();
  await terminal.enter(withoutJobs(command));
  await stage.until(terminal.id, (record) => record?.agent?.state === state, FIRST_START_MS);
  return terminal;
}

async function rests(stage: Stage, { id }: Terminal): Promise<void> {
  await stage.until(id, (record) => record?.agent?.state === "waiting", FIRST_START_MS);
}
