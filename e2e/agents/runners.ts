// The agents that `npm run test:agents` plays, each with the release that it installs when none is named.
import { CLAUDE_VERSION, runClaude } from "./claude.agents.ts";
import { CODEX_VERSION, runCodex } from "./codex.agents.ts";
import { runDriving } from "./driving.agents.ts";
import { GROK_VERSION, runGrok } from "./grok.agents.ts";
import { CONFORMANCE_VERSION, runMcpSuites } from "./mcp-suites.agents.ts";
import { OMP_VERSION, runOmp } from "./omp.agents.ts";
import { OPENCODE_VERSION, runOpencode } from "./opencode.agents.ts";
import { PI_VERSION, runPi } from "./pi.agents.ts";
import { runPrompting } from "./prompting.agents.ts";
import type { Outcome } from "./situations.ts";

export interface AgentRunner {
  /** The kind in the registry, or what is done to or by an agent. */
  kind: string;
  version: string;
  /** @param report called after each situation */
  run(version: string, report: (outcome: Outcome) => void): Promise<void>;
}

export const runners: readonly AgentRunner[] = [
  { kind: "claude-code", version: CLAUDE_VERSION, run: runClaude },
  { kind: "codex", version: CODEX_VERSION, run: runCodex },
  { kind: "grok", version: GROK_VERSION, run: runGrok },
  { kind: "opencode", version: OPENCODE_VERSION, run: runOpencode },
  { kind: "pi", version: PI_VERSION, run: runPi },
  { kind: "omp", version: OMP_VERSION, run: runOmp },
  { kind: "prompting", version: CLAUDE_VERSION, run: runPrompting },
  { kind: "driving", version: CLAUDE_VERSION, run: runDriving },
  { kind: "mcp-suites", version: CONFORMANCE_VERSION, run: runMcpSuites },
];
