// What may be read of this machine's files: the repositories and directories of live terminals, and nothing else.
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { refuse } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { locateRepository } from "../git/facts.ts";

export interface Project {
  /** The directory that the caller named, links resolved. */
  directory: string;
  /** Nothing outside of this is read. */
  boundary: string;
  /** Root of the repository that `directory` is in; null when it is in none. */
  repositoryRoot: string | null;
}

export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === sep ? sep : directory + sep);
}

/** Where live terminals are, as they name it: the root of the repository, else the directory. Pure. */
export function placesOf(records: Iterable<TerminalRecord>): string[] {
  const places = new Set<string>();
  for (const { life, cwd, git } of records) if (life === "active") places.add(git?.root ?? cwd).add(cwd);
  return [...places];
}

/** Throws `not-a-directory`, `outside-project`, or `git-failed`. */
export async function openProject(
  path: string,
  records: Iterable<TerminalRecord>,
  signal: AbortSignal,
): Promise<Project> {
  if (!isAbsolute(path)) throw notADirectory(path, "is not absolute");
  const places = (await Promise.all(placesOf(records).map(resolved))).filter((place) => place !== null);
  const directory = await resolved(path);
  if (directory === null) {
    // What is not to be seen is not told of, not even that it is missing.
    const named = resolve(path);
    if (!places.some((place) => isInside(named, place))) throw outside(path);
    throw notADirectory(path, "does not exist");
  }
  const around = places.filter((place) => isInside(directory, place));
  const location = await locateRepository(directory, signal);
  if (location.kind === "unreadable" && around.length > 0)
    throw refuse("git-failed", { detail: location.cause.message }, location.cause.message);
  const repositoryRoot = location.kind === "repository" ? location.places.root : null;
  // A repository around a terminal that is deep inside it belongs to that terminal as a whole.
  const isTerminals = repositoryRoot !== null && places.some((place) => isInside(place, repositoryRoot));
  if (around.length === 0 && !isTerminals) throw outside(path);
  if (!(await stat(directory)).isDirectory()) throw notADirectory(path, "is no directory");
  const widest = around.sort((a, b) => a.length - b.length)[0];
  const boundary =
    isTerminals && (widest === undefined || isInside(widest, repositoryRoot)) ? repositoryRoot : widest!;
  return { directory, boundary, repositoryRoot };
}

/** The real path of a file in the project. Throws `outside-project` or `file-gone`. */
export async function resolveInside(project: Project, filePath: string): Promise<string> {
  const wanted = resolve(project.directory, filePath);
  if (isAbsolute(filePath) || !isInside(wanted, project.boundary)) throw outside(filePath);
  const real = await resolved(wanted);
  if (real === null) throw refuse("file-gone", { path: filePath }, `${filePath} is not there (any more).`);
  if (!isInside(real, project.boundary)) throw outside(filePath);
  return real;
}

export function outside(path: string): Error {
  return refuse(
    "outside-project",
    { path },
    `${path} is outside of what may be read: the repositories and directories of live terminals. Open a terminal there, or name a path in one of them.`,
  );
}

function notADirectory(path: string, why: string): Error {
  return refuse("not-a-directory", { path }, `${path} ${why}: name the absolute path of a directory.`);
}

async function resolved(path: string): Promise<string | null> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"].includes(error.code ?? "")) return null;
    throw error;
  });
}
