// Which session is this terminal's. OpenCode names no process, so what speaks is: the command (`-s <id>`), what the terminal
// shows (its title names a session, its start page none), and when a session began.
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Evidence } from "@kolu/anyagent/arbiter.ts";
import { evidenceByStart } from "@kolu/anyagent/evidence.ts";
import type { Candidate, ScreenFinding, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { workingDirsOf } from "@kolu/anyagent/working-dirs.ts";
import { givenTitle, type SessionRow, terminalTitleOf } from "./records.ts";
import { START_PAGE } from "./screen.ts";
import type { Read } from "./store.ts";
import { opencodeVocab } from "./vocab.ts";

export const DATABASE_KEY = "KOLU_OPENCODE_DB";

type Environ = Readonly<Record<string, string | undefined>>;

/** As that process sees it: OPENCODE_DB (relative to the data directory), else `opencode.db` there; the data directory is
 * `opencode` in XDG_DATA_HOME, else in ~/.local/share. kolu's own override comes first. Null for a database in memory. */
export function databasePathOf(environ: Environ, overrides: Environ): string | null {
  if (overrides[DATABASE_KEY]) return overrides[DATABASE_KEY];
  const dataHome = environ.XDG_DATA_HOME || join(environ.HOME || homedir(), ".local", "share");
  const own = environ.OPENCODE_DB;
  if (own === ":memory:") return null;
  if (own && isAbsolute(own)) return own;
  return join(dataHome, "opencode", own || "opencode.db");
}

/** How the command chooses a conversation. */
export interface Chooser {
  kind: "exact" | "latest" | "fresh" | "unknown";
  sessionId: string | null;
  /** The directory that the command names, as written; null: where it was started. */
  directory: string | null;
}

const UNKNOWN_CHOOSER: Chooser = { kind: "unknown", sessionId: null, directory: null };

/** @param argv the agent's own words, its program first; null when they are not known */
export function chooserOf(argv: readonly string[] | null): Chooser {
  if (argv === null) return UNKNOWN_CHOOSER;
  const { keptFlags, droppedFlags } = opencodeVocab.grammar;
  const arity = { ...keptFlags, ...droppedFlags, ...opencodeVocab.resume.chooserFlags };
  const chosen: { sessionId: string | null; latest: boolean; fork: boolean; directory: string | null } = {
    sessionId: null,
    latest: false,
    fork: false,
    directory: null,
  };
  const words = argv
    .slice(1)
    .flatMap((word) => (/^--\w[\w-]*=/.test(word) ? splitAtFirst(word, "=") : [word]));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === "-c" || word === "--continue") chosen.latest = true;
    else if (word === "--fork") chosen.fork = true;
    else if (word === "-s" || word === "--session") chosen.sessionId = words[++at] ?? null;
    else if (arity[word] === 1) at += 1;
    else if (!word.startsWith("-")) chosen.directory ??= word;
  }
  const { sessionId, latest, fork, directory } = chosen;
  // A fork is a session of its own, begun by this process.
  if (fork) return { kind: "fresh", sessionId: null, directory };
  if (sessionId !== null) return { kind: "exact", sessionId, directory };
  return { kind: latest ? "latest" : "fresh", sessionId: null, directory };
}

function splitAtFirst(word: string, mark: string): string[] {
  const at = word.indexOf(mark);
  return [word.slice(0, at), word.slice(at + 1)];
}

// ---- claims: pure

export interface Sight {
  chooser: Chooser;
  /** The agent's process, or the first of its tree. */
  process: ProcessEntry | null;
  /** The terminal's title. */
  title: string | null;
  /** What the screen shows; null when it was not read or says nothing. */
  screen: ScreenFinding | null;
  /** The session that it was in until now, where that was certain. */
  heldId: string | null;
}

export interface Claimed {
  session: SessionRow;
  evidence: Evidence;
}

/** @param sessions root sessions of the terminal's directory, and the one that the command names */
export function claimsOf(sessions: readonly SessionRow[], sight: Sight): Claimed[] {
  const { chooser, process, title, screen, heldId } = sight;
  const shown = title?.startsWith("OC | ") ? sessions.filter((session) => showsAs(session, title)) : [];
  const [named] = shown;
  // No other session of the directory has the title, and this process has worked in it: wherever it began, it is here now.
  const held = sessions.find((session) => session.id === heldId);
  if (named !== undefined && shown.length === 1 && isSince(named.updatedAtMs, process)) {
    const left = held === undefined || held === named ? [] : [held];
    return [
      { session: named, evidence: "exact" },
      // Another terminal may show the named one: then this one has not gone there.
      ...left.map((session): Claimed => ({ session, evidence: "same-directory" })),
    ];
  }
  if (held !== undefined) return [{ session: held, evidence: "exact" }];
  if (chooser.kind === "exact") {
    return sessions
      .filter((session) => session.id === chooser.sessionId)
      .map((session) => ({ session, evidence: "exact" }));
  }
  if (screen?.name === START_PAGE || screen?.awaiting?.kind === "dialog") return [];
  const offered = shown.length > 0 ? shown : sessions;
  // Begun before this agent: its own only when it was asked to go on with one, or when the title says so.
  const mayContinue = chooser.kind !== "fresh" || process?.startedAtMs == null || shown.length > 0;
  return offered
    .map((session) => ({ session, evidence: evidenceByStart(session.createdAtMs, process) }))
    .filter(({ evidence }) => mayContinue || evidence !== "same-directory");
}

function showsAs(session: SessionRow, title: string): boolean {
  return givenTitle(session.title) !== null && terminalTitleOf(session.title) === title;
}

function isSince(atMs: number | null, process: ProcessEntry | null): boolean {
  return evidenceByStart(atMs, process) !== "same-directory";
}

/** Only a single claim that can grow no stronger makes it needless to look again at every change of the database. */
export function isSettled(claims: readonly Claimed[]): boolean {
  const strong = claims.filter((claim) => claim.evidence !== "same-directory");
  return strong.length === 1;
}

// ---- the search

/** What a candidate carries to the session that is opened for it. */
export interface Locator {
  databasePath: string;
  sessionId: string;
  processStartedAtMs: number | null;
}

export type ListSessions = (
  databasePath: string,
  wanted: { directories: readonly string[]; id: string | null },
) => Promise<Read<SessionRow[]>>;

export async function findSessions(
  search: SessionSearch,
  overrides: Environ,
  list: ListSessions,
): Promise<SessionsFound> {
  const missing: string[] = [];
  const process = search.agent ?? search.chain[0] ?? null;
  const databasePath = await databaseFor(process, search, overrides, missing);
  if (databasePath === null) return { candidates: [], missing, watchPaths: [] };
  const watchPaths = [databasePath, `${databasePath}-wal`];
  const chooser = chooserOf(search.invocation?.argv ?? (await argvOf(process, search)));
  const directories = await directoriesOf(chooser, search);
  const listed = await list(databasePath, { directories, id: chooser.sessionId });
  if (!listed.ok) return { candidates: [], missing: [...missing, listed.reason], watchPaths };
  const title = search.title ?? null;
  const heldId = search.bound?.evidence === "exact" ? search.bound.key : null;
  const sight = { chooser, process, title, screen: null, heldId };
  let claims = claimsOf(listed.value, sight);
  // The screen costs a rendering: only read when it could tell that a session is not this terminal's.
  if (claims.some((claim) => claim.evidence !== "exact") && search.readScreen !== undefined) {
    claims = claimsOf(listed.value, { ...sight, screen: await search.readScreen() });
  }
  if (claims.length === 0) missing.push(noSession(databasePath, directories, chooser));
  const candidates = claims.map((claim) => candidateOf(claim, databasePath, process));
  return { candidates, missing, watchPaths: isSettled(claims) ? [] : watchPaths };
}

function candidateOf(
  { session, evidence }: Claimed,
  databasePath: string,
  process: ProcessEntry | null,
): Candidate {
  const locator: Locator = {
    databasePath,
    sessionId: session.id,
    processStartedAtMs: process?.startedAtMs ?? null,
  };
  return {
    key: session.id,
    evidence,
    updatedAtMs: session.updatedAtMs,
    process: null,
    locator: JSON.stringify(locator),
  };
}

async function databaseFor(
  process: ProcessEntry | null,
  search: SessionSearch,
  overrides: Environ,
  missing: string[],
): Promise<string | null> {
  const environ = process === null ? null : await search.processes.environ(process.pid);
  if (environ?.kind === "hidden") {
    missing.push(
      `the environment of process ${process!.pid} is hidden (${environ.reason}): its default database was taken`,
    );
  }
  const path = databasePathOf(environ?.kind === "known" ? environ.value : {}, overrides);
  if (path === null) missing.push("OPENCODE_DB of its process is :memory:, so nothing is on disk");
  return path;
}

/** Without a marked command, the process's own words tell how it was started. Not on offer while it is a wrapper. */
async function argvOf(process: ProcessEntry | null, search: SessionSearch): Promise<string[] | null> {
  if (process === null || process !== search.agent) return null;
  const argv = await search.processes.argv(process.pid);
  return argv.kind === "known" ? argv.value : null;
}

/** As written and without links: OpenCode stores the physical path. */
async function directoriesOf({ directory }: Chooser, search: SessionSearch): Promise<string[]> {
  const named = workingDirsOf(search, directory);
  const physical = await Promise.all(named.map((dir) => realpath(dir).catch(() => dir)));
  return [...new Set([...named, ...physical])];
}

function noSession(path: string, directories: readonly string[], { sessionId }: Chooser): string {
  if (sessionId !== null) return `${path} has no session ${sessionId}, which the command names`;
  return `${path} has no session of ${directories.at(-1)} that could be this terminal's: it is written with the first prompt`;
}
