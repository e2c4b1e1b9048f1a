// Which session could be this terminal's: the newest of its directory, which is the one that `--continue` opens. Nothing
// names the process.
import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { evidenceByStart } from "@kolu/anyagent/evidence.ts";
import type { Candidate, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { workingDirsOf } from "@kolu/anyagent/working-dirs.ts";
import { agentProcessOf } from "@kolu/entry-log/agent-process.ts";
import { type Log, listLogs } from "@kolu/entry-log/log-dir.ts";
import { dirNameOf, parseName, rootOf, sessionsDirOf } from "./store.ts";

/** The locator of a process whose session is not on disk. */
export const NO_FILE = "";
const START_SLACK_MS = 1_000;

export async function findSessions(
  search: SessionSearch,
  overrides: Readonly<Record<string, string | undefined>>,
): Promise<SessionsFound> {
  const missing: string[] = [];
  const process = agentProcessOf(search);
  if (process === null)
    return { candidates: [], missing: ["Xyne is starting: there is no process of it yet"], watchPaths: [] };
  const environ = await search.processes.environ(process.pid);
  if (environ.kind === "hidden") {
    missing.push(
      `the environment of process ${process.pid} is hidden (${environ.reason}): its default was taken`,
    );
  }
  const root = rootOf(environ.kind === "known" ? environ.value : {}, overrides);
  const dir = join(sessionsDirOf(root), dirNameOf(physical(workingDirsOf(search, null)[0]!)));
  const { logs, fault } = listLogs(dir);
  if (fault !== null) missing.push(fault);
  const own = logs.filter((log) => isWhole(log, missing));
  const candidates = candidatesOf(own, search.invocation?.argv ?? [], process);
  if (candidates.length === 0) missing.push(`${dir} holds no session of this process`);
  return {
    candidates: [...candidates, unwritten(process)],
    missing,
    watchPaths: [dir],
  };
}

/** Pure. */
export function candidatesOf(
  logs: readonly Log[],
  argv: readonly string[],
  process: ProcessEntry | null,
): Candidate[] {
  const named = argv[argv.indexOf("--session") + 1];
  const chosen = argv.includes("--session") ? logs.find((log) => log.nameId === named) : undefined;
  const continues = argv.includes("--continue");
  const startedAtMs = process?.startedAtMs ?? null;
  return (chosen === undefined ? logs : [chosen]).flatMap((log) => {
    const beganAtMs = parseName(basename(log.path))?.startedAtMs ?? null;
    const evidence = chosen === log ? "exact" : evidenceByStart(beganAtMs, process);
    // One that was not told to continue has opened no older session, unless it has written to it since.
    const older = evidence === "same-directory" && startedAtMs !== null;
    if (older && !continues && log.modifiedAtMs < startedAtMs - START_SLACK_MS) return [];
    // Newest by its name and not by its file's time: so does `--continue`.
    return [{ key: log.path, evidence, updatedAtMs: beganAtMs, process, locator: log.path }];
  });
}

/** Its id stands in its name and in its header: one that was copied or renamed is no session of its own. */
function isWhole({ path, header, nameId }: Log, missing: string[]): boolean {
  if (parseName(basename(path)) === null) return false;
  if (header.sessionId === nameId) return true;
  missing.push(`${path} has another id in its header (${header.sessionId}) than in its name`);
  return false;
}

/** Xyne always waits, as far as can be known: also before its file is there. The weakest claim of all. */
function unwritten(process: ProcessEntry): Candidate {
  const key = `${process.pid}@${process.startTime}`;
  return { key, evidence: "same-directory", updatedAtMs: null, process, locator: NO_FILE };
}

function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
