// Which sessions could be this terminal's: nothing names Pi's process, so it is the directory, the times and the command
// that tell.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Evidence } from "@kolu/anyagent/arbiter.ts";
import { evidenceByStart } from "@kolu/anyagent/evidence.ts";
import type { Candidate, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { workingDirsOf } from "@kolu/anyagent/working-dirs.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { agentProcessOf } from "@kolu/entry-log/agent-process.ts";
import { type Log, listLogs } from "@kolu/entry-log/log-dir.ts";
import { readHeader } from "@kolu/entry-log/log-file.ts";
import { flagValue, type Store, storeOf } from "./store.ts";

/** A header is stamped as Pi starts: 0.3 s after its process on 1.6.0, up to 3 s on 0.73.1, plus what the clock of process
 * starts may be off. */
const BEGINS_WITHIN_MS = 4_000;
const START_SLACK_MS = 1_000;
/** Pi writes a prompt or an answer and says so in band within 30 ms (1.6.0); a busy machine takes longer. */
const IN_STEP_MS = 400;

export async function findSessions(
  search: SessionSearch,
  overrides: Readonly<Record<string, string | undefined>>,
): Promise<SessionsFound> {
  const missing: string[] = [];
  const argv = search.invocation?.argv ?? [];
  if (argv.includes("--no-session")) {
    return { candidates: [], missing: ["--no-session: Pi writes nothing to disk"], watchPaths: [] };
  }
  const process = agentProcessOf(search);
  if (process === null)
    return { candidates: [], missing: ["Pi is starting: there is no process of it yet"], watchPaths: [] };
  const cwd = physical(workingDirsOf(search, null)[0]!);
  const environ = await environOf(process, search, missing);
  const store = storeOf({ environ, argv, cwd, overrides, readText });
  const { logs, fault, found } = listLogs(store.dir);
  if (fault !== null) missing.push(fault);
  const own = logs.filter((log) => belongs(log, cwd));
  const offered = candidatesOf(own, argv, process);
  const opened = openedByPath(argv, cwd, process);
  const pointed = new Set([opened?.key, namedBy(own, argv)?.path, inStep(own, search.inBand ?? [])?.path]);
  const others = offered.filter((one) => one.key !== opened?.key);
  const candidates = (opened === null ? others : [opened, ...others]).map((one) => {
    return pointed.has(one.key) ? { ...one, pointedTo: true } : one;
  });
  if (candidates.length === 0) missing.push(noSession(store, cwd, found));
  return { candidates, missing, watchPaths: [store.dir] };
}

/** Pure. Sessions of one directory as claims of one terminal. */
export function candidatesOf(
  logs: readonly Log[],
  argv: readonly string[],
  process: ProcessEntry | null,
): Candidate[] {
  const named = namedBy(logs, argv);
  const continues = argv.some((word) => CONTINUING_FLAGS.has(word));
  const startedAtMs = process?.startedAtMs ?? null;
  return logs.flatMap((log) => {
    const evidence = evidenceByStart(log.header.startedAtMs, process);
    // A Pi that was not told to continue has opened no older session, unless it has written to it since (/resume).
    const older = evidence === "same-directory" && startedAtMs !== null;
    if (older && !continues && log !== named && log.modifiedAtMs < startedAtMs - START_SLACK_MS) return [];
    return [candidateOf(log, evidence, process)];
  });
}

/** Flags with which it opens the latest session that was there before. What a person picks (-r) is known once it is written
 * to, and one that is named by its id is found by that. */
const CONTINUING_FLAGS = new Set(["-c", "--continue"]);

/** By its id, which may be cut short, as Pi itself takes it; the whole one goes first. */
function namedBy(logs: readonly Log[], argv: readonly string[]): Log | undefined {
  const id = flagValue(argv, "--session-id") ?? flagValue(argv, "--session");
  if (id === null) return undefined;
  return logs.find((log) => log.nameId === id) ?? logs.find((log) => log.nameId.startsWith(id));
}

function candidateOf(log: Log, evidence: Evidence, process: ProcessEntry | null): Candidate {
  const sinceStartMs = sinceStart(log, process);
  return {
    key: log.path,
    evidence,
    updatedAtMs: log.modifiedAtMs,
    process,
    locator: log.path,
    ...(sinceStartMs === null ? {} : { sinceStartMs }),
  };
}

/** Null when it did not begin with this process: before it, or by /new, or in a Pi that was started later. */
function sinceStart({ header }: Log, process: ProcessEntry | null): number | null {
  if (header.startedAtMs === null || process?.startedAtMs == null) return null;
  const sinceMs = header.startedAtMs - process.startedAtMs;
  return sinceMs >= -START_SLACK_MS && sinceMs <= BEGINS_WITHIN_MS ? Math.max(0, sinceMs) : null;
}

/** The one log that was written to as Pi said that a turn began or ended. Null when none or several were. */
function inStep(logs: readonly Log[], inBand: readonly ProgramRecord[]): Log | null {
  const root = inBand.find((record) => record.id === "");
  if (root === undefined || root.state === "idle" || root.state === "blocked") return null;
  const written = logs.filter((log) => Math.abs(log.modifiedAtMs - root.updatedAtMs) <= IN_STEP_MS);
  return written.length === 1 ? written[0]! : null;
}

/** Two directories may have one encoded name (`/a-b/c`, `/a/b-c`); a header names the real one. */
function belongs({ header }: Log, cwd: string): boolean {
  return header.cwd === null || header.cwd === cwd;
}

/** `--session <path>` opens that file wherever it lies and whichever directory it began in. */
function openedByPath(argv: readonly string[], cwd: string, process: ProcessEntry | null): Candidate | null {
  const named = flagValue(argv, "--session");
  if (named === null || !(named.includes("/") || named.endsWith(".jsonl"))) return null;
  const path = resolve(cwd, named);
  if (readHeader(path) === null) return null;
  const key = resolve(physical(dirname(path)), basename(path));
  return { key, evidence: "same-directory", updatedAtMs: modifiedAtMs(key), process, locator: key };
}

function modifiedAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

async function environOf(
  process: ProcessEntry,
  search: SessionSearch,
  missing: string[],
): Promise<Readonly<Record<string, string>>> {
  const environ = await search.processes.environ(process.pid);
  if (environ.kind === "known") return environ.value;
  missing.push(
    `the environment of process ${process.pid} is hidden (${environ.reason}): its default store was taken`,
  );
  return {};
}

function noSession({ dir, flat }: Store, cwd: string, found: boolean): string {
  if (!found) return `${dir} is not there: it is made at the first prompt`;
  const whose = flat ? ` for ${cwd}` : "";
  return `${dir} holds no session${whose} of this process: its file appears with the first prompt`;
}

/** Pi names its store after the physical directory. One that is gone is taken as it is called. */
function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Absent or unreadable settings are no settings, as for Pi itself. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
