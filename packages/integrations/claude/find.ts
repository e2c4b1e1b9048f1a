// Which session is this terminal's: the one whose status file names a process of the terminal, with its start time.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Candidate, SessionSearch, SessionsFound } from "@kolu/anyagent/plugin.ts";
import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import { parseStatusFile, type StatusFile } from "./records.ts";

export const SESSIONS_KEY = "KOLU_CLAUDE_SESSIONS_DIR";
export const PROJECTS_KEY = "KOLU_CLAUDE_PROJECTS_DIR";

/** Where one process of Claude Code keeps its files. */
export interface ClaudePlaces {
  sessionsDir: string;
  projectsDir: string;
  tasksDir: string;
}

/** As that process sees it: CLAUDE_CONFIG_DIR, else .claude in its HOME. kolu's own overrides come first. */
export function placesOf(
  environ: Readonly<Record<string, string | undefined>>,
  overrides: Readonly<Record<string, string | undefined>>,
): ClaudePlaces {
  const root = environ.CLAUDE_CONFIG_DIR || join(environ.HOME || homedir(), ".claude");
  return {
    sessionsDir: overrides[SESSIONS_KEY] || join(root, "sessions"),
    projectsDir: overrides[PROJECTS_KEY] || join(root, "projects"),
    tasksDir: join(root, "tasks"),
  };
}

/** Directory name of a project: every character but letters and digits becomes a dash (observed on 2.1.332: `/`, `.`, `_`
 * and spaces alike). */
export function projectDirName(cwd: string): string {
  return cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
}

export async function findSessions(
  search: SessionSearch,
  overrides: Readonly<Record<string, string | undefined>>,
): Promise<SessionsFound> {
  const missing: string[] = [];
  const dirs = new Set<string>();
  const candidates: Candidate[] = [];
  // The agent's own process first; a wrapper's name may hide it from us, so every process of the tree is asked.
  const asked = search.agent === null ? search.chain : [search.agent, ...search.chain];
  for (const process of new Set(asked)) {
    const { sessionsDir } = await placesFor(process, search, overrides, missing);
    dirs.add(sessionsDir);
    const path = join(sessionsDir, `${process.pid}.json`);
    const status = readStatus(path);
    if (status === null) continue;
    if (!namesProcess(status, process)) {
      missing.push(`${path} is of an earlier process ${process.pid}, which did not remove it`);
      continue;
    }
    candidates.push(candidateOf(path, status, process));
  }
  if (candidates.length === 0 && search.agent !== null) missing.unshift(noSession(search.agent, [...dirs]));
  return { candidates, missing, watchPaths: [...dirs] };
}

/** A pid is only believed together with its start. `procStart` is compared where the system writes it in our form. */
export function namesProcess(status: StatusFile, process: ProcessEntry): boolean {
  if (status.pid !== process.pid) return false;
  if (status.procStart !== null && /^\d+$/.test(status.procStart) && /^\d+$/.test(process.startTime)) {
    return status.procStart === process.startTime;
  }
  // Elsewhere: the file is written within a second of the start; a reused pid's file is older than its process.
  if (status.startedAtMs === null || process.startedAtMs === null) return true;
  return status.startedAtMs >= process.startedAtMs - 2_000;
}

function candidateOf(path: string, status: StatusFile, process: ProcessEntry): Candidate {
  return {
    // The session id changes under a living process (/clear); the process is the identity that lasts.
    key: `${process.pid}@${process.startTime}`,
    evidence: "exact",
    updatedAtMs: status.statusUpdatedAtMs ?? status.startedAtMs,
    process,
    locator: path,
  };
}

async function placesFor(
  process: ProcessEntry,
  search: SessionSearch,
  overrides: Readonly<Record<string, string | undefined>>,
  missing: string[],
): Promise<ClaudePlaces> {
  const environ = await search.processes.environ(process.pid);
  if (environ.kind === "known") return placesOf(environ.value, overrides);
  if (process === search.agent) {
    missing.push(
      `the environment of process ${process.pid} is hidden (${environ.reason}): its default places were taken`,
    );
  }
  return placesOf({}, overrides);
}

function noSession(agent: ProcessEntry, dirs: string[]): string {
  const paths = dirs.map((dir) => join(dir, `${agent.pid}.json`)).join(" or ");
  return `${paths} is not there: it is written once the first dialogs are passed, and never in print mode`;
}

/** A half-written file (it is rewritten in place) counts as not there yet: its directory is watched. */
function readStatus(path: string): StatusFile | null {
  try {
    return parseStatusFile(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
