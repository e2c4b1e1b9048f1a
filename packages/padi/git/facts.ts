// What git says of a directory: which repository and worktree it is in, and how that stands.
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { GitFacts } from "@kolu/contract/terminal.ts";
import { complaintOf, GitFault, type GitOutcome, runGit } from "./run.ts";

/** Where a repository keeps what. All absolute, links resolved. */
export interface Places {
  /** Root of this worktree; of a bare repository its own directory. */
  root: string;
  /** Root of the main worktree; of a bare repository its own directory. */
  mainRoot: string;
  /** Of this worktree: HEAD, index. */
  gitDir: string;
  /** Of the whole repository: refs, packed-refs, config. */
  commonDir: string;
  /** Nothing is checked out here. */
  bare: boolean;
}

export interface Unreadable {
  kind: "unreadable";
  path: string;
  cause: Error;
}

export type Location = { kind: "repository"; places: Places } | { kind: "none" } | Unreadable;
export type GitReading =
  | { kind: "repository"; places: Places; facts: GitFacts }
  | { kind: "none" }
  | Unreadable;

/** Far above what a repository needs; at it the facts are unreadable. A cold `status` of a huge one can take seconds. */
const LOCATE_TIMEOUT_MS = 10_000;
const STATUS_TIMEOUT_MS = 30_000;
const SHORT_COMMIT_CHARS = 7;

/** Both steps at once. Never rejects but for an aborted signal's GitFault. */
export async function readGitFacts(cwd: string, signal?: AbortSignal): Promise<GitReading> {
  const location = await locateRepository(cwd, signal);
  return location.kind === "repository" ? readFacts(location.places, signal) : location;
}

/**
 * Which repository `cwd` is in. `none` is knowledge: there is no repository, or no such directory any more. Whatever
 * else keeps git from telling (it is not installed, the directory belongs to somebody else, a worktree's repository was
 * moved away) is `unreadable` with its cause.
 */
export async function locateRepository(cwd: string, signal?: AbortSignal): Promise<Location> {
  try {
    const directory = await realpath(cwd);
    if (!(await mayBeInRepository(directory))) return { kind: "none" };
    const asked = [
      "--is-bare-repository",
      "--is-inside-work-tree",
      "--absolute-git-dir",
      "--git-common-dir",
      "--show-cdup",
    ];
    const outcome = await runGit(["rev-parse", ...asked], {
      cwd: directory,
      timeoutMs: LOCATE_TIMEOUT_MS,
      signal,
    });
    if (outcome.code !== 0) return notARepository(outcome) ? { kind: "none" } : unreadable(cwd, outcome);
    return { kind: "repository", places: await placesFrom(outcome.stdout, directory, signal) };
  } catch (cause) {
    return failed(cwd, cause);
  }
}

/** How the worktree at `places` stands now. */
export async function readFacts(places: Places, signal?: AbortSignal): Promise<GitReading> {
  const { root } = places;
  try {
    const status = places.bare ? await bareStatus(places, signal) : await worktreeStatus(root, signal);
    if (!("code" in status))
      return { kind: "repository", places, facts: { ...identityOf(places), ...status } };
    return notARepository(status) ? { kind: "none" } : unreadable(root, status);
  } catch (cause) {
    return failed(root, cause);
  }
}

type Status = Pick<GitFacts, "branch" | "head" | "upstream" | "ahead" | "behind" | "dirty">;

/** Reads `git status --porcelain=v2 --branch -z`, of which the headers and the first change are enough. */
export function parseStatus(text: string): Status {
  const status: Status = {
    branch: null,
    head: null,
    upstream: null,
    ahead: null,
    behind: null,
    dirty: false,
  };
  for (const record of text.split("\0")) {
    const [, name, value] = record.match(/^# branch\.(oid|head|upstream|ab) (.*)$/s) ?? [];
    if (name === undefined || value === undefined) {
      if (record !== "" && !record.startsWith("#")) status.dirty = true;
    } else if (name === "oid")
      status.head = value === "(initial)" ? null : value.slice(0, SHORT_COMMIT_CHARS);
    else if (name === "head") status.branch = value === "(detached)" ? null : value;
    else if (name === "upstream") status.upstream = value;
    else {
      // Left out altogether when the upstream no longer exists.
      const [, ahead, behind] = value.match(/^\+(\d+) -(\d+)$/) ?? [];
      status.ahead = ahead === undefined ? null : Number(ahead);
      status.behind = behind === undefined ? null : Number(behind);
    }
  }
  return status;
}

async function worktreeStatus(root: string, signal?: AbortSignal): Promise<Status | GitOutcome> {
  // core.fsmonitor may name a program to run: a look at an unpacked archive must not run one. Which untracked files count
  // is left to the user's status.showUntrackedFiles.
  const outcome = await runGit(["-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "-z"], {
    cwd: root,
    timeoutMs: STATUS_TIMEOUT_MS,
    signal,
    enough: (stdout) => /(^|\0)[^#\0]/.test(stdout),
  });
  return outcome.code === 0 ? parseStatus(outcome.stdout) : outcome;
}

async function bareStatus({ commonDir }: Places, signal?: AbortSignal): Promise<Status | GitOutcome> {
  const run = { cwd: commonDir, timeoutMs: LOCATE_TIMEOUT_MS, signal };
  const branch = await runGit(["symbolic-ref", "--quiet", "--short", "HEAD"], run);
  if (branch.code > 1) return branch;
  const head = await runGit(["rev-parse", "--quiet", "--verify", "HEAD"], run);
  return {
    branch: branch.stdout.trim() || null,
    head: head.stdout.trim().slice(0, SHORT_COMMIT_CHARS) || null,
    upstream: null,
    ahead: null,
    behind: null,
    dirty: false,
  };
}

function identityOf({
  root,
  mainRoot,
  gitDir,
  commonDir,
}: Places): Pick<GitFacts, "root" | "name" | "mainRoot" | "isWorktree"> {
  const name = basename(mainRoot).replace(/(?<=.)\.git$/, "");
  return { root, name, mainRoot, isWorktree: gitDir !== commonDir };
}

async function placesFrom(revParse: string, directory: string, signal?: AbortSignal): Promise<Places> {
  const [isBare, isInWorktree, gitDirLine = "", commonDirLine = "", cdup = ""] = revParse.split("\n");
  const gitDir = await realpath(resolve(directory, gitDirLine));
  const commonDir = await realpath(resolve(directory, commonDirLine));
  const ordinary = basename(commonDir) === ".git";
  // From inside .git the worktree beside it is meant.
  const inOwnGitDir = isInWorktree !== "true" && isBare !== "true" && ordinary;
  const bare = isInWorktree !== "true" && !inOwnGitDir;
  const root = bare ? commonDir : inOwnGitDir ? dirname(commonDir) : resolve(directory, cdup);
  // A `.bare` beside the worktrees is a repository of the directory that holds them all.
  if (bare) return { root, mainRoot: bareRoot(commonDir), gitDir, commonDir, bare };
  if (gitDir === commonDir) return { root, mainRoot: root, gitDir, commonDir, bare };
  const mainRoot = ordinary ? dirname(commonDir) : await firstWorktree(root, commonDir, signal);
  return { root, mainRoot, gitDir, commonDir, bare };
}

function bareRoot(commonDir: string): string {
  return basename(commonDir) === ".bare" ? dirname(commonDir) : commonDir;
}

/** The main worktree of a repository whose directory's name does not tell: bare, a submodule, `--separate-git-dir`. */
async function firstWorktree(root: string, commonDir: string, signal?: AbortSignal): Promise<string> {
  const { stdout } = await runGit(["worktree", "list", "--porcelain", "-z"], {
    cwd: root,
    timeoutMs: LOCATE_TIMEOUT_MS,
    signal,
  });
  const [first = ""] = stdout.split("\0\0");
  const [path = "", ...attributes] = first.split("\0");
  if (!path.startsWith("worktree ") || attributes.includes("bare")) return bareRoot(commonDir);
  return path.slice("worktree ".length);
}

/** Whether some directory above holds what git looks for. Spares a process for each look at a terminal outside of any. */
async function mayBeInRepository(directory: string): Promise<boolean> {
  for (let at = directory; ; at = dirname(at)) {
    if ((await exists(join(at, ".git"))) || (await exists(join(at, "objects")))) return true;
    if (dirname(at) === at) return false;
  }
}

/** Whether a repository begins between `cwd` and `root`, which is above it: `git init` was run, a submodule checked out. */
export async function hasNearerRepository(cwd: string, root: string): Promise<boolean> {
  for (let at = cwd; at !== root && at.startsWith(root) && dirname(at) !== at; at = dirname(at)) {
    if (await exists(join(at, ".git"))) return true;
  }
  return false;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Only the plain sentence: "not a git repository: <path>" means that a worktree's repository is not where it was. */
function notARepository({ code, stderr }: GitOutcome): boolean {
  return code === 128 && /not a git repository \(or any/.test(stderr);
}

function unreadable(path: string, outcome: GitOutcome): Unreadable {
  const cause = new Error(`git cannot tell about ${path}: ${complaintOf(outcome)}`);
  return { kind: "unreadable", path, cause };
}

function failed(path: string, cause: unknown): { kind: "none" } | Unreadable {
  if (cause instanceof GitFault && cause.reason === "aborted") throw cause;
  const { code } = cause as NodeJS.ErrnoException;
  const gone =
    cause instanceof GitFault ? cause.reason === "no-directory" : code === "ENOENT" || code === "ENOTDIR";
  if (gone) return { kind: "none" };
  return { kind: "unreadable", path, cause: cause instanceof Error ? cause : new Error(String(cause)) };
}
