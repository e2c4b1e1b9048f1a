// What is asked of a repository before a worktree is cut from it, and before one is taken away.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DirectoryLook, WorktreeLook } from "@kolu/contract/launch.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { freshName } from "../launch/fresh-name.ts";
import { expectedBase } from "./base.ts";
import { locateRepository, type Places } from "./facts.ts";
import { complaintOf, runGit } from "./run.ts";
import { WORKTREES_FOLDER } from "./worktree.ts";

const LOOK_TIMEOUT_MS = 20_000;
/** More than anybody reads through; the latest are there. */
const BRANCHES_MAX = 300;

/** Never rejects for what a person typed: it says what is wrong with it. */
export async function lookAtDirectory(path: string, signal: AbortSignal): Promise<DirectoryLook> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return { kind: "none", path, reason: "there is no such directory" };
  if (!(await stat(real)).isDirectory()) return { kind: "none", path, reason: "it is no directory" };
  const location = await locateRepository(real, signal);
  if (location.kind !== "repository") return { kind: "directory", path: real };
  const { places } = location;
  const [branch, base, branches, worktrees] = await Promise.all([
    branchOf(places, signal),
    expectedBase(places),
    branchesOf(places, signal),
    readdir(join(places.mainRoot, WORKTREES_FOLDER)).catch(() => []),
  ]);
  return {
    kind: "repository",
    path: real,
    mainRoot: places.mainRoot,
    name: basename(places.mainRoot).replace(/(?<=.)\.git$/, ""),
    branch,
    base,
    branches: branches.slice(0, BRANCHES_MAX),
    freshName: freshName(new Set([...branches, ...worktrees])),
  };
}

/** Rejects with `not-a-repo` or `git-failed`. */
export async function lookAtWorktree(path: string, signal: AbortSignal): Promise<WorktreeLook> {
  const location = await locateRepository(path, signal);
  if (location.kind === "none")
    throw refuse("not-a-repo", { path }, `${path} is in no git repository (any more).`);
  if (location.kind === "unreadable")
    throw refuse("git-failed", { detail: location.cause.message }, location.cause.message);
  const { places } = location;
  const { root, gitDir, commonDir } = places;
  const branch = await branchOf(places, signal);
  const others = branch === null ? [] : [`--exclude=${branch}`];
  const status = ["-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", "--no-renames"];
  const [changed, own] = await Promise.all([
    must([...status, "--untracked-files=all"], root, signal),
    must(["rev-list", "--count", "HEAD", "--not", ...others, "--branches", "--remotes"], root, signal),
  ]);
  return {
    root,
    branch,
    isWorktree: gitDir !== commonDir,
    changedFiles: changed.split("\0").filter((entry) => entry !== "").length,
    ownCommits: Number(own.trim()),
  };
}

async function branchOf({ root }: Places, signal: AbortSignal): Promise<string | null> {
  const run = { cwd: root, timeoutMs: LOOK_TIMEOUT_MS, signal };
  return (await runGit(["symbolic-ref", "--quiet", "--short", "HEAD"], run)).stdout.trim() || null;
}

async function branchesOf({ commonDir }: Places, signal: AbortSignal): Promise<string[]> {
  const { code, stdout } = await runGit(
    ["for-each-ref", "--sort=-committerdate", "--format=%(refname)", "refs/heads", "refs/remotes"],
    { cwd: commonDir, timeoutMs: LOOK_TIMEOUT_MS, signal },
  );
  if (code !== 0) return [];
  return stdout
    .split("\n")
    .filter((ref) => ref !== "" && !ref.endsWith("/HEAD"))
    .map((ref) => ref.replace(/^refs\/(heads|remotes)\//, ""));
}

async function must(args: string[], cwd: string, signal: AbortSignal): Promise<string> {
  const outcome = await runGit(args, { cwd, timeoutMs: LOOK_TIMEOUT_MS, signal });
  if (outcome.code !== 0)
    throw refuse("git-failed", { detail: complaintOf(outcome) }, `git refused: ${complaintOf(outcome)}.`);
  return outcome.stdout;
}
