// When to look again at a project that somebody has open: what git's own watch sees, the directory of the file that is
// shown, and outside of a repository the directory itself.
import { dirname } from "node:path";
import type { ProjectNews } from "@kolu/contract/project.ts";
import { createCell } from "../cell.ts";
import { watchDirectories } from "../git/directories.ts";
import { isInside, type Project, resolveInside } from "./boundary.ts";

/** Between two pieces of news: an editor writes a file in several steps, an agent many files in a row. */
const NEWS_MS = 200;
/** One for the file and one for the directory. */
const DIRECTORIES_MAX = 2;

export interface ProjectWatchOptions {
  filePath: string | null;
  onGitLook(root: string, looked: () => void): () => void;
  signal: AbortSignal;
}

/** Once at the beginning, then after each change, never more often than NEWS_MS. Ends with the signal. */
export async function* watchProject(
  project: Project,
  { filePath, onGitLook, signal }: ProjectWatchOptions,
): AsyncGenerator<ProjectNews> {
  const revision = createCell(0);
  const heard = (): void => revision.set(revision.read() + 1);
  const stopGit = project.repositoryRoot === null ? null : onGitLook(project.repositoryRoot, heard);
  const directories = watchDirectories(
    { left: DIRECTORIES_MAX },
    // What cannot be watched is looked at when git's own watch tells.
    { onNews: heard, onFault: () => {} },
  );
  try {
    directories.want(new Map((await watchedIn(project, filePath)).map((path) => [path, () => true])));
    for await (const value of revision.watch(signal)) {
      yield { revision: value };
      await pause(NEWS_MS, signal);
    }
  } finally {
    stopGit?.();
    directories.close();
  }
}

async function watchedIn(project: Project, filePath: string | null): Promise<string[]> {
  const own = project.repositoryRoot === null ? [project.directory] : [];
  if (filePath === null) return own;
  const path = await resolveInside(project, filePath).catch(() => null);
  // The file may be the boundary's own link to somewhere else inside: its real directory is what changes.
  return path === null || !isInside(dirname(path), project.boundary) ? own : [...own, dirname(path)];
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
