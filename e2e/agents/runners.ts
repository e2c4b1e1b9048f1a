// The agents that `npm run test:agents` plays, each with the release that it installs when none is named.
import { CLAUDE_VERSION, runClaude } from "./claude.agents.ts";
import { OMP_VERSION, runOmp } from "./omp.agents.ts";
import { PI_VERSION, runPi } from "./pi.agents.ts";
import type { Outcome } from "./situations.ts";

export interface AgentRunner {
  /** The kind in the registry. */
  kind: string;
  version: string;
  /** @param report called after each situation */
  run(version: string, report: (outcome: Outcome) => void): Promise<void>;
}

export const runners: readonly AgentRunner[] = [
  { kind: "claude-code", version: CLAUDE_VERSION, run: runClaude },
  { kind: "pi", version: PI_VERSION, run: runPi },
  { kind: "omp", version: OMP_VERSION, run: runOmp },
];
