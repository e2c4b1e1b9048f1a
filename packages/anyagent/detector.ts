// The engine: signals of terminals in, readings of agents out. It names no agent; plugins do.
import type { AgentReading, Explanation } from "@kolu/contract/agent.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { CommandFacts } from "@kolu/contract/terminal.ts";

/** What is known of one terminal from outside its programs. Observed whole at every change; the latest wins. */
export interface TerminalSignals {
  id: string;
  /** The terminal's root process: a shell, or the command it was created with. */
  rootPid: number | null;
  /** argv of a command-rooted terminal; null when the root is a shell. */
  rootArgv: string[] | null;
  /** Foreground process group of the tty. */
  foregroundPid: number | null;
  /** The foreground is the shell itself. */
  atPrompt: boolean;
  command: CommandFacts | null;
  title: string | null;
  cwd: string;
  /** OSC 7501 records, the root one and its children. */
  program: ProgramRecord[];
  lastOutputAtMs: number | null;
}

/** `agent` and `program` replace what was published before for that terminal. */
export interface DetectionOutcome {
  agent: AgentReading | null;
  program: ProgramRecord | null;
}

export interface DetectorHost {
  /** Rendered text of the screen, null when the terminal is gone. */
  readScreen(id: string): Promise<string | null>;
  /** Called only when the outcome changed, at once, in order. Must not throw. */
  publish(id: string, outcome: DetectionOutcome): void;
  /** A fault that costs one reading and no more. */
  log(message: string, cause?: unknown): void;
}

export interface Detector {
  observe(signals: TerminalSignals): void;
  /** The terminal is gone: its binding is released, nothing more is published for it. */
  forget(id: string): void;
  /** Why the reading is what it is. An id that was never observed explains itself as such. */
  explain(id: string): Promise<Explanation>;
  /** Stops every watch and timer. */
  dispose(): Promise<void>;
}
