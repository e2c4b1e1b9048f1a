// Which session is this terminal's: the one that Grok's list of live sessions names beside a process of the terminal; else
// the newest of the directory that nobody is known to be in.
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { evidenceByStart } from "@kolu/anyagent/evidence.ts";
import type { Candidate, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { workingDirsOf } from "@kolu/anyagent/working-dirs.ts";
import { GROK_DIR_KEY, type GrokPlaces, ProjectDirs, placesOf, readIfThere } from "./places.ts";
import { type ActiveSession, parseActiveSessions, parseSummary, type Summary } from "./records.ts";

/** A process's start is known within a second or two; its row is written after it. */
const START_SLACK_MS = 2_000;
/** The list names a process 1 to 6 s after its start (1.0.41). A session that is older than the process is no guess to be
 * made before that: it would show another conversation's title for some seconds. */
const LISTED_AFTER_MS = 10_000;

export interface SessionFinder {
  /** Never rejects. */
  find(search: SessionSearch): Promise<SessionsFound>;
}

export function createSessionFinder(
  overrides: Readonly<Record<string, string | undefined>>,
  now: () => number = Date.now,
): SessionFinder {
  const projects = new ProjectDirs();
  const summaries = new SummaryCache();

  const find = async (search: SessionSearch): Promise<SessionsFound> => {
    const missing: string[] = [];
    const watchPaths = new Set<string>();
    const exact: Candidate[] = [];
    const asked = new Set(search.agent === null ? search.chain : [search.agent, ...search.chain]);
    const lists = new Map<string, ActiveSession[]>();
    let first: GrokPlaces | null = null;
    for (const process of asked) {
      const places = placesOf(await environOf(process, search, missing), overrides);
      first ??= places;
      watchPaths.add(places.activeSessionsPath);
      const list = lists.get(places.activeSessionsPath) ?? readList(places.activeSessionsPath, missing);
      lists.set(places.activeSessionsPath, list);
      const row = rowOf(list, process);
      if (row === null) {
        if (process === search.agent) missing.push(noRow(places, list, process));
        continue;
      }
      exact.push(exactCandidate(row, process, places, search.cwd));
    }
    if (exact.length > 0 || first === null)
      return { candidates: exact, missing, watchPaths: [...watchPaths] };
    // A row that is gone says nothing: some releases rewrite the list without the others' rows.
    if (search.bound?.evidence === "exact")
      return { candidates: [search.bound], missing, watchPaths: [...watchPaths] };
    const dirs = cwdsOf(search).flatMap((cwd) => projects.of(first.sessionsDir, cwd));
    watchPaths.add(dirs.find((dir) => isThere(dir)) ?? first.sessionsDir);
    const taken = await heldByOthers(lists.get(first.activeSessionsPath) ?? [], asked, search);
    const candidates = guesses([...new Set(dirs)], taken, search);
    if (candidates.length === 0)
      missing.push(`no session of ${cwdsOf(search)[0]} is free in ${first.sessionsDir}`);
    return { candidates, missing, watchPaths: [...watchPaths] };
  };

  const exactCandidate = (
    row: ActiveSession,
    process: ProcessEntry,
    places: GrokPlaces,
    cwd: string,
  ): Candidate => {
    const dirs = projects.of(places.sessionsDir, row.cwd ?? cwd).map((dir) => join(dir, row.sessionId));
    // A directory whose shortened name cannot be told yet is reported as missing.
    const locator =
      dirs.find((dir) => isThere(dir)) ?? dirs[0] ?? join(places.sessionsDir, "-", row.sessionId);
    return { key: row.sessionId, evidence: "exact", updatedAtMs: row.openedAtMs, process, locator };
  };

  const guesses = (dirs: string[], taken: ReadonlySet<string>, search: SessionSearch): Candidate[] => {
    const agent = search.agent ?? search.chain[0] ?? null;
    const ageMs = agent?.startedAtMs == null ? Number.POSITIVE_INFINITY : now() - agent.startedAtMs;
    // Where kolu is told to look, no process need ever enter itself.
    const mayBeListed = !overrides[GROK_DIR_KEY] && ageMs < LISTED_AFTER_MS;
    return dirs
      .flatMap((dir) => summaries.list(dir))
      .filter(({ path, summary }) => !summary.isSubagent && !taken.has(basename(dirname(path))))
      .map(({ path, summary, modifiedAtMs }) => ({
        key: basename(dirname(path)),
        evidence: evidenceByStart(summary.createdAtMs, agent),
        updatedAtMs: summary.updatedAtMs ?? modifiedAtMs,
        process: null,
        locator: dirname(path),
      }))
      .filter(({ evidence }) => evidence !== "same-directory" || !mayBeListed)
      .sort((left, right) => right.updatedAtMs - left.updatedAtMs);
  };

  return {
    find: async (search) => {
      try {
        return await find(search);
      } catch (cause) {
        const { message } = cause as Error;
        return { candidates: [], missing: [message], watchPaths: [] };
      }
    },
  };
}

/** The newest row of this process. A pid is only believed together with its start: a killed Grok leaves its row behind until
 * the next one starts. */
export function rowOf(list: readonly ActiveSession[], process: ProcessEntry): ActiveSession | null {
  const own = list.filter(
    ({ pid, openedAtMs }) =>
      pid === process.pid &&
      (openedAtMs === null ||
        process.startedAtMs === null ||
        openedAtMs >= process.startedAtMs - START_SLACK_MS),
  );
  return own.reduce<ActiveSession | null>(
    (best, row) => (best === null || (row.openedAtMs ?? 0) >= (best.openedAtMs ?? 0) ? row : best),
    null,
  );
}

/** Sessions that living processes of other terminals are in. */
async function heldByOthers(
  list: readonly ActiveSession[],
  asked: ReadonlySet<ProcessEntry>,
  { processes }: SessionSearch,
): Promise<ReadonlySet<string>> {
  const own = new Set([...asked].map((process) => process.pid));
  const taken = new Set<string>();
  for (const row of list) {
    if (own.has(row.pid)) continue;
    const process = await processes.entry(row.pid);
    if (process !== null && rowOf([row], process) !== null) taken.add(row.sessionId);
  }
  return taken;
}

function readList(path: string, missing: string[]): ActiveSession[] {
  const text = readIfThere(path);
  if (text === null) return [];
  const list = parseActiveSessions(text);
  if (list === null) missing.push(`${path} cannot be read as a list of sessions`);
  return list ?? [];
}

function noRow(places: GrokPlaces, list: readonly ActiveSession[], process: ProcessEntry): string {
  const path = places.activeSessionsPath;
  if (list.some((row) => row.pid === process.pid)) {
    return `${path} names an earlier process ${process.pid}, which did not remove its row`;
  }
  return `${path} does not name process ${process.pid}: Grok enters it some seconds after its start, and never with -p`;
}

/** Hidden (macOS): what its command says, as far as a shell marked it. */
async function environOf(
  process: ProcessEntry,
  search: SessionSearch,
  missing: string[],
): Promise<Readonly<Record<string, string | undefined>>> {
  const environ = await search.processes.environ(process.pid);
  if (environ.kind === "known") return environ.value;
  if (process === search.agent) {
    missing.push(
      `the environment of process ${process.pid} is hidden (${environ.reason}): its default places were taken`,
    );
  }
  const assignment = search.invocation?.prefix.findLast((word) => word.startsWith("GROK_HOME="));
  return assignment === undefined ? {} : { GROK_HOME: assignment.slice("GROK_HOME=".length) };
}

/** The terminal's directory by every name that Grok may know it by; `--cwd` moves it. */
function cwdsOf(search: SessionSearch): string[] {
  const { cwd, processCwd, invocation } = search;
  const argv = invocation?.argv ?? [];
  const at = argv.indexOf("--cwd");
  const inline = argv.find((word) => word.startsWith("--cwd="))?.slice("--cwd=".length);
  const moved = inline ?? (at < 0 ? null : (argv[at + 1] ?? null));
  const dirs = workingDirsOf(search, moved);
  // A process knows its directory without links, a shell as it went there.
  const byLink = moved === null && realOf(cwd) === processCwd ? [cwd] : [];
  return [...new Set([...dirs.map(realOf), ...dirs, ...byLink])];
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Removed under a running agent: its name is all that is left.
    return path;
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

interface Listed {
  path: string;
  summary: Summary;
  modifiedAtMs: number;
}

/** Summaries of a directory's sessions, each parsed again only when it is another file. */
class SummaryCache {
  readonly #known = new Map<string, { signature: string; summary: Summary | null }>();

  list(dir: string): Listed[] {
    if (!isThere(dir)) return [];
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory()) return [];
      const path = join(dir, entry.name, "summary.json");
      const facts = statSync(path, { throwIfNoEntry: false });
      if (facts === undefined) return [];
      const signature = `${facts.ino}:${facts.size}:${facts.mtimeMs}`;
      let known = this.#known.get(path);
      if (known?.signature !== signature) {
        const text = readIfThere(path);
        known = { signature, summary: text === null ? null : parseSummary(text) };
        this.#known.set(path, known);
      }
      return known.summary === null ? [] : [{ path, summary: known.summary, modifiedAtMs: facts.mtimeMs }];
    });
  }
}
