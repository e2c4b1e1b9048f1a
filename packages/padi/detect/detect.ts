// The agent detector in padi's terms: kaval's rows in, readings out. The detector itself is @kolu/anyagent.

import { createDetector, type DetectorHost, type TerminalSignals } from "@kolu/anyagent/detector.ts";
import type { AgentPlugin } from "@kolu/anyagent/plugin.ts";
import { processFacts } from "@kolu/anyagent/processes.ts";
import type { Explanation } from "@kolu/contract/agent.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";

export interface Detect {
  /** For every change of a live terminal. */
  observe(row: KavalTerminal): void;
  forget(id: string): void;
  explain(id: string): Promise<Explanation>;
  dispose(): Promise<void>;
}

export function createDetect(host: DetectorHost, plugins: readonly AgentPlugin[]): Detect {
  const detector = createDetector({ plugins, processes: processFacts(), host, now: Date.now });
  return {
    observe: (row) => detector.observe(signalsOf(row)),
    forget: detector.forget,
    explain: detector.explain,
    dispose: detector.dispose,
  };
}

function signalsOf(row: KavalTerminal): TerminalSignals {
  return {
    id: row.id,
    rootPid: row.pid,
    rootArgv: row.commandRooted ? row.argv : null,
    foregroundPid: row.foregroundPid,
    atPrompt: row.atPrompt,
    command: row.command,
    title: row.title,
    cwd: row.cwd,
    program: row.program,
    lastOutputAtMs: row.lastOutputAtMs,
  };
}
