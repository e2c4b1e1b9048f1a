// The engine: signals of terminals in, readings of agents out. It names no agent; plugins do. What costs something (a walk
// through /proc, a file, a timer) happens only on a change of the foreground or while an agent is there.
import type { AgentReading, Explanation } from "@kolu/contract/agent.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { CommandFacts } from "@kolu/contract/terminal.ts";
import { arbitrate } from "./arbiter.ts";
import type { AgentPlugin } from "./plugin.ts";
import type { ProcessFacts } from "./process-tree.ts";
import { TerminalWatch } from "./terminal-watch.ts";
import { createFileWatch } from "./watch.ts";

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
  /** Called once for the first look at a terminal, also when it finds nothing, then whenever the outcome changed: at once
   * and in order. Must not throw. */
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
  /** Resolves when everything that is known by now has been looked at and said. */
  settled(): Promise<void>;
  /** Stops every watch and timer. */
  dispose(): Promise<void>;
}

/** How long the end of an agent's process, or the start of its session, may go unnoticed when nothing signals it. */
export const RECONCILE_INTERVAL_MS = 1_000;

export interface DetectorOptions {
  plugins: readonly AgentPlugin[];
  processes: ProcessFacts;
  host: DetectorHost;
  /** Epoch milliseconds. */
  now(): number;
}

export function createDetector({ plugins, processes, host, now }: DetectorOptions): Detector {
  const watches = new Map<string, TerminalWatch>();
  const files = createFileWatch((message, cause) => host.log(message, cause));
  let timer: NodeJS.Timeout | null = null;

  const keepTime = () => {
    const needed = [...watches.values()].some((watch) => watch.needsTick());
    if (needed && timer === null) {
      timer = setInterval(() => {
        for (const watch of watches.values()) watch.tick();
      }, RECONCILE_INTERVAL_MS);
    } else if (!needed && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };

  /** Deals the sessions of one kind out again among all terminals that claim one. */
  const deal = (kind: string) => {
    const claiming = [...watches.values()].filter((watch) => watch.claims()?.kind === kind);
    const bound = arbitrate(claiming.map((watch) => watch.claims()!.claims));
    // Those that lose a session let go of it before another takes it.
    for (const watch of claiming) if (!bound.has(watch.id)) watch.bind(null);
    for (const watch of claiming) {
      const key = bound.get(watch.id);
      if (key !== undefined) watch.bind(key);
    }
  };

  const watchOf = (id: string): TerminalWatch => {
    const known = watches.get(id);
    if (known !== undefined) return known;
    const made = new TerminalWatch(id, { plugins, processes, files, host, now, deal, keepTime });
    watches.set(id, made);
    return made;
  };

  return {
    observe: (signals) => watchOf(signals.id).observe(signals),
    forget: (id) => {
      const watch = watches.get(id);
      const kind = watch?.claims()?.kind;
      watches.delete(id);
      watch?.close();
      if (kind !== undefined) deal(kind);
      keepTime();
    },
    explain: async (id) => watches.get(id)?.explain() ?? explainUnobserved(id),
    settled: async () => {
      await Promise.all([...watches.values()].map((watch) => watch.settled()));
    },
    dispose: async () => {
      const open = [...watches.values()];
      watches.clear();
      for (const watch of open) watch.close();
      keepTime();
      files.dispose();
      await Promise.all(open.map((watch) => watch.settled()));
    },
  };
}

function explainUnobserved(id: string): Explanation {
  return {
    kind: null,
    recognition: { foregroundPid: null, chain: [], matchedBy: null },
    signals: [],
    missing: [`the detector has not been told of terminal ${id}`],
    malformedRecords: 0,
  };
}
