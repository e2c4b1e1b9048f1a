// Which thread is this terminal's. Nothing of Codex's names a pid beside a thread, so several traces are put together, best
// first: the files that the process has open (without the shared server), the moment at which it opened a thread (anchors.ts),
// the id in its command, and the time at which a thread began.
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type { Evidence } from "@kolu/anyagent/arbiter.ts";
import { evidenceByStart } from "@kolu/anyagent/evidence.ts";
import type { Candidate, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { workingDirsOf } from "@kolu/anyagent/working-dirs.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { looksOpenedHere, type Opening } from "./anchors.ts";
import { type CodexPlaces, commandWords, type Environment, placesOf } from "./places.ts";
import { type ThreadRow, threadIdOfFile } from "./records.ts";
import { type CodexStore, LOGGED_WITHIN_MS } from "./store.ts";

/** Process starts are known within a second. */
const START_SLACK_MS = 1_000;

export async function findSessions(
  search: SessionSearch,
  overrides: Environment,
  store: CodexStore,
): Promise<SessionsFound> {
  const { agent } = search;
  // Its wrapper is there a moment before it, and a moment after: threads are the program's own.
  if (agent === null) return nothing(["no process called codex is there (yet)"], []);
  const missing: string[] = [];
  const places = await placesFor(agent, search, overrides, missing);
  const { databasePath, databaseDir, capabilitiesDir } = places;
  if (databasePath === null) {
    missing.push(`no state_<n>.sqlite in ${databaseDir}: it is made when Codex starts`);
    return nothing(missing, [capabilitiesDir, databaseDir]);
  }
  const databasePaths = [databasePath, `${databasePath}-wal`];
  const { resumedId, workingDir } = commandWords(search.invocation);
  const directories = directoriesOf(search, workingDir);
  const openings = openedSince(agent, store.openings(capabilitiesDir));
  const openIds = await openThreads(agent, search);
  const named = [...(openings ?? []).map((one) => one.threadId), ...openIds];
  const ids = resumedId === null ? named : [...named, resumedId];
  const read = store.threads(databasePath, { cwds: directories, ids });
  if (read.kind === "unreadable")
    return nothing([read.reason, ...missing], [capabilitiesDir, ...databasePaths]);
  const openers = store.openedBy(places.logsPath, openings ?? []);
  const reportedAtMs = idleSince(search.inBand ?? []);
  const title = search.title ?? null;
  const traces = {
    agent,
    directories,
    rows: read.rows,
    openings,
    openers,
    openIds,
    resumedId,
    reportedAtMs,
    title,
    boundId: search.bound?.key ?? null,
  };
  const chosen = choose(traces);
  if (chosen.length === 0) {
    missing.push(`no thread that was opened after process ${agent.pid} started, in ${places.home}`);
  }
  const watchPaths = [capabilitiesDir];
  const owing = isLogOwing(traces);
  if (owing) watchPaths.push(`${places.logsPath}-wal`);
  // A thread's row, with the title that the terminal shows, comes with its first prompt: often before the log.
  if (owing || openings === null || chosen.length === 0) watchPaths.push(...databasePaths);
  const byId = new Map(read.rows.map((row) => [row.threadId, row]));
  const candidates = chosen.map((one) =>
    candidateOf(one, { agent, databasePath, row: byId.get(one.threadId) }),
  );
  return { candidates, missing, watchPaths };
}

function nothing(missing: string[], watchPaths: string[]): SessionsFound {
  return { candidates: [], missing, watchPaths };
}

function openedSince({ startedAtMs }: ProcessEntry, openings: readonly Opening[] | null): Opening[] | null {
  if (openings === null || startedAtMs === null) return openings === null ? null : [];
  return openings.filter((opening) => opening.atMs >= startedAtMs - START_SLACK_MS);
}

/** The log may yet tell who opened a thread. */
function isLogOwing({ openings, openers }: Traces): boolean {
  const nowMs = Date.now();
  return (openings ?? []).some((one) => openers.get(one) === null && nowMs - one.atMs < LOGGED_WITHIN_MS);
}

/** A program that has just opened a thread is idle; one that works or is done has something else to say. */
function idleSince(records: readonly ProgramRecord[]): number | null {
  const root = records.find((record) => record.id === "");
  return root?.state === "idle" ? root.updatedAtMs : null;
}

// ---- the choice, pure

export interface Traces {
  agent: ProcessEntry;
  /** Names of the directory that the program works in. */
  directories: readonly string[];
  /** Of this directory, and those that another trace names; newest first. */
  rows: readonly ThreadRow[];
  /** Threads that some terminal program opened since this one started, oldest first; null for releases that leave no trace of
   * it. */
  openings: readonly Opening[] | null;
  /** The pid that opened it, null when the log does not tell. */
  openers: ReadonlyMap<Opening, number | null>;
  /** Threads whose files the process itself has open. */
  openIds: readonly string[];
  resumedId: string | null;
  /** Since when the program has said in band that it is idle; null when it says otherwise. */
  reportedAtMs: number | null;
  /** The terminal's: "<thread's title> | <directory>", after what says that it works or asks. */
  title: string | null;
  /** The thread that the terminal shows now. */
  boundId: string | null;
}

export interface Choice {
  threadId: string;
  evidence: Evidence;
  atMs: number | null;
}

/** Best first. A thread that another process is known to have opened is never among them. */
export function choose(traces: Traces): Choice[] {
  const { agent, rows, directories, openers, openIds, resumedId, reportedAtMs } = traces;
  const byId = new Map(rows.map((row) => [row.threadId, row]));
  const isListed = (threadId: string) => byId.get(threadId)?.listed !== false;
  const openings = (traces.openings ?? []).filter((one) => isListed(one.threadId));
  const openedAtMs = (threadId: string) =>
    openings.findLast((one) => one.threadId === threadId)?.atMs ?? null;

  const held = openIds
    .filter(isListed)
    .sort((left, right) => (openedAtMs(right) ?? 0) - (openedAtMs(left) ?? 0));
  if (held[0] !== undefined) return [{ threadId: held[0], evidence: "exact", atMs: openedAtMs(held[0]) }];

  const own = openings.findLast((one) => openers.get(one) === agent.pid) ?? null;
  const unclaimed = openings.filter((one) => openers.get(one) == null && one.atMs > (own?.atMs ?? 0));
  const here = unclaimed.filter((one) => looksOpenedHere(one, reportedAtMs));
  const started = (one: Opening): Choice => ({ ...one, evidence: "created-after-start" });
  if (own !== null) {
    // The log is some seconds behind. Until it tells, the program is taken to have moved to a thread that was opened just
    // before it became idle, or that its title names; and to be still where it was taken to be.
    const isNamed = (threadId: string) => isNamedBy(traces.title, byId.get(threadId)?.title ?? null);
    const named = isNamed(own.threadId) ? [] : unclaimed.filter((one) => isNamed(one.threadId));
    const kept = unclaimed.filter((one) => one.threadId === traces.boundId);
    const moved = [here, named, kept].find((some) => some.length > 0);
    if (moved === undefined) return [{ ...own, evidence: "exact" }];
    return [...moved.map(started), { ...own, evidence: "same-directory" }];
  }
  if (here.length > 0) return here.map(started);
  const isElsewhere = ({ threadId }: Opening) => {
    const row = byId.get(threadId);
    return row !== undefined && threadId !== resumedId && !directories.includes(row.cwd);
  };
  const opened = unclaimed.filter((one) => !isElsewhere(one));
  const titled = opened.filter(({ threadId }) => isNamedBy(traces.title, byId.get(threadId)?.title ?? null));
  if (opened.length > 0) return (titled.length > 0 ? titled : opened).map(started);

  const resumed = resumedId !== null && isListed(resumedId) ? byId.get(resumedId) : undefined;
  if (resumed !== undefined) {
    return [{ threadId: resumed.threadId, evidence: "created-after-start", atMs: resumed.updatedAtMs }];
  }
  return byTime(traces);
}

/** Of a long title the beginning is compared: Codex cuts it to the terminal's taste. */
const NAMED_BY_CHARS = 20;

/** Does a terminal's title begin with a thread's? A thread that was not prompted yet is not named by any. */
function isNamedBy(terminalTitle: string | null, threadTitle: string | null): boolean {
  if (terminalTitle === null || threadTitle === null) return false;
  const words = terminalTitle.replace(/^(?:[⠀-⣿] |\[ [!.] \] Action Required \| )/, "");
  return words.startsWith(threadTitle.slice(0, NAMED_BY_CHARS));
}

/** Without any trace of an opening. Beside an older thread of the same directory a fresh program has none yet. */
function byTime({ agent, rows, openings, openers, directories }: Traces): Choice[] {
  const claimed = new Set(
    (openings ?? []).filter((one) => openers.get(one) != null).map((one) => one.threadId),
  );
  return rows
    .filter((row) => row.listed && directories.includes(row.cwd) && !claimed.has(row.threadId))
    .map((row) => ({
      threadId: row.threadId,
      evidence: evidenceByStart(row.createdAtMs, agent),
      atMs: row.updatedAtMs,
    }))
    .filter(({ evidence, atMs }) => {
      if (evidence !== "same-directory") return true;
      // It was used since: resumed, with a release that leaves no trace of that.
      return openings === null && (agent.startedAtMs === null || (atMs ?? 0) >= agent.startedAtMs);
    });
}

// ---- where to look

async function placesFor(
  agent: ProcessEntry,
  search: SessionSearch,
  overrides: Environment,
  missing: string[],
): Promise<CodexPlaces> {
  const environ = await search.processes.environ(agent.pid);
  if (environ.kind === "known") return placesOf(environ.value, overrides);
  missing.push(
    `the environment of process ${agent.pid} is hidden (${environ.reason}): its default places were taken`,
  );
  return placesOf({}, overrides);
}

/** With the shared server the server holds the files; with --no-daemon the program itself does. */
async function openThreads(agent: ProcessEntry, { processes }: SessionSearch): Promise<string[]> {
  const files = await processes.openFiles(agent.pid);
  if (files.kind === "hidden") return [];
  const ids = files.value.map((path) => threadIdOfFile(basename(path)));
  return [...new Set(ids.filter((id) => id !== null))];
}

/** A shell may say its directory through a link; Codex writes the physical one. */
function directoriesOf(search: SessionSearch, workingDir: string | null): string[] {
  const said = workingDirsOf(search, workingDir);
  return [...new Set([...said, ...said.map(physical)])];
}

function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A directory that is gone has no other name.
    return path;
  }
}

// ---- candidates

export interface Locator {
  threadId: string;
  databasePath: string;
  /** Start of the terminal's program; null when it is not known. */
  processStartedAtMs: number | null;
}

function candidateOf(
  { threadId, evidence, atMs }: Choice,
  { agent, databasePath, row }: { agent: ProcessEntry; databasePath: string; row: ThreadRow | undefined },
): Candidate {
  const locator: Locator = { threadId, databasePath, processStartedAtMs: agent.startedAtMs };
  return {
    key: threadId,
    evidence,
    updatedAtMs: row?.updatedAtMs ?? atMs,
    process: evidence === "exact" ? agent : null,
    locator: JSON.stringify(locator),
  };
}
