// Which session is this terminal's: the one that its breadcrumb names, whichever that is at the time. The candidate is the
// process itself, so that two terminals in one directory never compete, and one that keeps no session is followed as well.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Candidate, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { workingDirsOf } from "@kolu/anyagent/working-dirs.ts";
import { breadcrumbName, flagValue, stateDirOf } from "./places.ts";

/** The locator of a process that keeps no session. */
export const NO_SESSION = "";

export interface FindOptions {
  /** kolu's own environment. */
  overrides: Readonly<Record<string, string | undefined>>;
  /** macOS hides every environment: there the default place is taken, elsewhere none is guessed. */
  hidesEnvironments: boolean;
}

export async function findSessions(search: SessionSearch, options: FindOptions): Promise<SessionsFound> {
  const { agent } = search;
  // Until it has named itself it has left no breadcrumb (0.85 s on 18.2.3), and an old one may lie there.
  if (agent === null) return nothing("omp is starting: its process has not named itself yet");
  const argv = await argvOf(agent, search);
  if (flagValue(argv, "--no-session") !== null || argv.includes("--no-session")) {
    return {
      candidates: [candidateOf(agent, NO_SESSION)],
      missing: [
        "--no-session: omp writes nothing to disk, and an older breadcrumb of this terminal is not its own",
      ],
      watchPaths: [],
    };
  }
  const { processes } = search;
  const cwd = workingDirsOf(search, null)[0]!;
  const environ = await processes.environ(agent.pid);
  if (environ.kind === "hidden" && !options.hidesEnvironments) {
    return nothing(
      `the environment of process ${agent.pid} is hidden (${environ.reason}): its place is not known`,
    );
  }
  const { overrides } = options;
  const known = environ.kind === "known" ? environ.value : {};
  const state = stateDirOf({ environ: known, argv, cwd, overrides, isDirectory });
  if ("fault" in state) return nothing(state.fault);
  const tty = await processes.tty(agent.pid);
  if (tty.kind === "hidden") return nothing(`the terminal of process ${agent.pid} is hidden (${tty.reason})`);
  const name = breadcrumbName(tty.value);
  if (name === null)
    return nothing(`the standard input of process ${agent.pid} is ${tty.value}, no terminal`);
  return {
    candidates: [candidateOf(agent, join(state.dir, "terminal-sessions", name))],
    missing: [],
    watchPaths: [],
  };
}

function candidateOf(agent: ProcessEntry, locator: string): Candidate {
  return {
    key: `${agent.pid}@${agent.startTime}`,
    evidence: "exact",
    updatedAtMs: null,
    process: agent,
    locator,
  };
}

function nothing(why: string): SessionsFound {
  return { candidates: [], missing: [why], watchPaths: [] };
}

/** Its argv stays readable; should it not be, the marked command tells. */
async function argvOf(
  agent: ProcessEntry,
  { processes, invocation }: SessionSearch,
): Promise<readonly string[]> {
  const argv = await processes.argv(agent.pid);
  return argv.kind === "known" ? argv.value : (invocation?.argv ?? []);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
