// One worktree, watched: its facts are read again when git changes something, when its files change, or when asked.
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GitFacts } from "@kolu/contract/terminal.ts";
import { type WatchBudget, watchDirectories } from "./directories.ts";
import { type GitReading, type Places, readFacts } from "./facts.ts";
import { createPace } from "./pace.ts";
import { GitFault, runGit } from "./run.ts";

export interface RepositoryWatch {
  /** Something may have changed the files. */
  poke(): void;
  close(): void;
}

export interface RepositoryWatchOptions {
  places: Places;
  budget: WatchBudget;
  /** Runs a look when it is this repository's turn. */
  inTurn<T>(look: () => Promise<T>): Promise<T>;
  /** Each reading, also one that says the same. */
  onReading(reading: GitReading): void;
  onFault(error: Error): void;
}

/**
 * How many directories of one worktree are watched. In a larger one a change of a file shows when a command ends or the
 * output of a terminal comes to rest there, and what git itself does shows at once as everywhere.
 */
export const WORKTREE_DIRECTORIES_MAX = 2_000;

const LIST_TIMEOUT_MS = 30_000;
/** What of a git directory bears on the facts; the rest is locks, objects and logs. */
const TELLING = new Set(["HEAD", "index", "packed-refs", "config", "FETCH_HEAD", "MERGE_HEAD", "reftable"]);

export function watchRepository(options: RepositoryWatchOptions): RepositoryWatch {
  const { places, onReading, onFault } = options;
  const gone = new AbortController();
  /** The commit whose directories are known, and these. */
  let tree: { head: string | null; directories: string[] } | null = null;

  const directories = watchDirectories(options.budget, {
    onNews: (directory) => pace.ask(isOfGit(directory, places) ? "soon" : "later"),
    onFault,
  });

  const look = async (): Promise<void> => {
    try {
      const reading = await options.inTurn(() => readFacts(places, gone.signal));
      if (gone.signal.aborted) return;
      onReading(reading);
      if (reading.kind === "repository") await follow(reading.facts);
    } catch (cause) {
      if (cause instanceof GitFault && cause.reason === "aborted") return;
      onFault(new Error(`the repository ${places.root} could not be looked at`, { cause }));
    }
  };

  const follow = async (facts: GitFacts): Promise<void> => {
    if (tree === null || tree.head !== facts.head) {
      const first = tree === null;
      tree = { head: facts.head, directories: [] };
      tree.directories = await options.inTurn(() => trackedDirectories(places, gone.signal));
      // What changed between the reading and the watch has told nobody.
      if (first) pace.ask("soon");
    }
    const refs = await refDirectories(places.commonDir, facts);
    if (!gone.signal.aborted) directories.want(wantedDirectories(places, refs, tree.directories));
  };

  const pace = createPace(look);
  pace.ask("soon");
  return {
    poke: () => pace.ask("later"),
    close: () => {
      gone.abort();
      pace.stop();
      directories.close();
    },
  };
}

function isOfGit(directory: string, { gitDir, commonDir }: Places): boolean {
  return [gitDir, commonDir].some((own) => directory === own || directory.startsWith(`${own}/`));
}

function wantedDirectories(
  { root, gitDir, commonDir, bare }: Places,
  refs: string[],
  tracked: string[],
): Map<string, (entry: string | null) => boolean> {
  const wanted = new Map<string, (entry: string | null) => boolean>();
  if (!bare) for (const directory of [root, ...tracked]) wanted.set(directory, (entry) => entry !== ".git");
  for (const directory of [gitDir, commonDir])
    wanted.set(directory, (entry) => entry === null || TELLING.has(entry));
  for (const directory of refs) wanted.set(directory, (entry) => entry === null || !entry.endsWith(".lock"));
  return wanted;
}

/** The directories where the branch's and its upstream's commits are written: the nearest that exist. */
async function refDirectories(commonDir: string, { branch, upstream }: GitFacts): Promise<string[]> {
  const refs = join(commonDir, "refs");
  const wanted = [
    ...(branch === null ? [] : [join(refs, "heads", branch)]),
    // An upstream without a remote is a branch of this repository.
    ...(upstream === null ? [] : [join(refs, "remotes", upstream), join(refs, "heads", upstream)]),
  ];
  return Promise.all(wanted.map((ref) => nearestDirectory(dirname(ref), refs)));
}

async function nearestDirectory(path: string, top: string): Promise<string> {
  for (let at = path; at !== top && at.startsWith(top); at = dirname(at)) {
    if ((await stat(at).catch(() => null))?.isDirectory()) return at;
  }
  return top;
}

/** Directories below the root that hold tracked files: no ignored one is among them. None when there are too many. */
async function trackedDirectories({ root, bare }: Places, signal: AbortSignal): Promise<string[]> {
  if (bare) return [];
  const outcome = await runGit(["ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", "HEAD"], {
    cwd: root,
    timeoutMs: LIST_TIMEOUT_MS,
    signal,
    enough: (stdout) =>
      stdout.split("\0", WORKTREE_DIRECTORIES_MAX + 2).length > WORKTREE_DIRECTORIES_MAX + 1,
  });
  // A repository without a commit has no tree.
  if (outcome.code !== 0) return [];
  const directories = outcome.stdout.split("\0").filter((path) => path !== "");
  return directories.length > WORKTREE_DIRECTORIES_MAX ? [] : directories.map((path) => join(root, path));
}
