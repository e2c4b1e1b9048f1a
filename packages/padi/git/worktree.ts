// Cutting a worktree for a task, and taking it away again.
import { appendFile, lstat, mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Worktree } from "@kolu/contract/padi.ts";
import { isRefusal, refuse } from "@kolu/contract/refusals.ts";
import { type Base, chosenBase, findBase } from "./base.ts";
import { locateRepository, type Places, readFacts } from "./facts.ts";
import { inOrder } from "./in-order.ts";
import { complaintOf, GitFault, type GitOutcome, runGit } from "./run.ts";
import { worktreeNameProblem } from "./worktree-name.ts";

/** Where worktrees lie, below the main worktree. */
export const WORKTREES_FOLDER = ".worktrees";
/** A checkout of a large repository on a slow disk, hooks included. */
const CHECKOUT_TIMEOUT_MS = 10 * 60 * 1_000;
const LOOK_TIMEOUT_MS = 30_000;

/** Paths being made by this process: a second request for one of them is a collision, not a race. */
const beingMade = new Set<string>();

export interface WorktreeWish {
  repo: string;
  name: string;
  /** A branch to cut it from; absent: the default branch of `origin`. */
  base?: string | undefined;
  /** Aborted: nothing is left behind. */
  signal?: AbortSignal | undefined;
  onStep?: ((step: "fetch" | "checkout") => void) | undefined;
}

/**
 * Cuts `<main repository>/.worktrees/<name>` on a new branch `<name>`, from `base`, or from the default branch of `origin`
 * as it is there now. Without an `origin`, or when it does not answer in time, from what is known here; `note` says so.
 * `repo` is any directory of the repository.
 *
 * Refuses with `bad-worktree-name`, `not-a-repo`, `worktree-name-collision`, `worktree-base-missing`, with `git-failed` when
 * nothing came into being, and with `stopped-partway` naming the worktree when something did and stays.
 */
export async function createWorktree(wish: WorktreeWish): Promise<Worktree> {
  const { repo, name, base: branch, signal, onStep } = wish;
  const problem = worktreeNameProblem(name);
  if (problem !== null) throw badName(name, problem);
  const places = await repositoryOf(repo);
  const path = join(places.mainRoot, WORKTREES_FOLDER, name);
  await refuseCollision(places, path, name);
  if (beingMade.has(path)) throw collision(path, name);
  beingMade.add(path);
  try {
    if (branch === undefined) onStep?.("fetch");
    const base = await unlessAborted(
      branch === undefined ? findBase(places) : chosenBase(places, branch),
      signal,
    );
    return await inOrder(places.commonDir, () => {
      signal?.throwIfAborted();
      onStep?.("checkout");
      return cut({ places, path, name, base, signal });
    });
  } finally {
    beingMade.delete(path);
  }
}

/** The same look before anything is made: where it would be, and why it cannot be called that. Rejects with `not-a-repo`. */
export async function checkWorktreeName({
  repo,
  name,
}: {
  repo: string;
  name: string;
}): Promise<{ path: string; problem: string | null }> {
  const places = await repositoryOf(repo);
  const path = join(places.mainRoot, WORKTREES_FOLDER, name);
  const problem = worktreeNameProblem(name);
  if (problem !== null) return { path, problem };
  try {
    await refuseCollision(places, path, name);
    return { path, problem: null };
  } catch (error) {
    if (!isRefusal(error, "worktree-name-collision")) throw error;
    return { path, problem: "a worktree or branch of that name is there already" };
  }
}

/** A look at origin serves others, too: who gives up only stops waiting for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/**
 * Removes a worktree and its branch. Refuses with `worktree-kept` (`dirty`: files that no commit holds; `unmerged`: commits
 * that no other branch holds; `main`: not a worktree of its own) unless forced, which still keeps the main worktree; with
 * `not-a-repo` where nothing is, and with `git-failed`.
 */
export async function removeWorktree({ path, force }: { path: string; force: boolean }): Promise<void> {
  const places = await repositoryOf(path);
  const { root, commonDir } = places;
  const reading = await readFacts(places);
  if (reading.kind !== "repository")
    throw reading.kind === "unreadable" ? gitFailed(reading.cause.message) : notARepo(path);
  const { branch, isWorktree, dirty } = reading.facts;
  const keep = (reason: "dirty" | "unmerged" | "main", why: string): Error =>
    refuse("worktree-kept", { path: root, branch, reason }, `${root} stays: ${why}.`);
  if (!isWorktree) throw keep("main", "it is the repository itself, not a worktree of it");
  if (!force && dirty) throw keep("dirty", "it holds changes that no commit has");
  if (!force && (await hasCommitsOfItsOwn(root, branch)))
    throw keep("unmerged", `${branch ?? "its commit"} holds commits that no other branch has`);
  await inOrder(commonDir, async () => {
    // Run from the repository: the directory itself is about to go.
    const run = { cwd: commonDir, timeoutMs: CHECKOUT_TIMEOUT_MS };
    await must(runGit(["worktree", "remove", ...(force ? ["--force", "--force"] : []), "--", root], run));
    if (branch !== null) await must(runGit(["branch", "-D", "--", branch], run));
    await removeEmptyAbove(root, places.mainRoot);
  });
}

interface Cut {
  places: Places;
  path: string;
  name: string;
  base: Base;
  signal: AbortSignal | undefined;
}

async function cut({ places, path, name, base, signal }: Cut): Promise<Worktree> {
  await keepOutOfStatus(places.commonDir);
  const run = { cwd: places.commonDir, timeoutMs: CHECKOUT_TIMEOUT_MS, signal };
  // Without tracking: a first push must not go to the branch that this one was cut from.
  const outcome = await runGit(
    ["worktree", "add", "--no-track", "-b", name, "--", path, base.ref],
    run,
  ).catch((fault: unknown) => {
    if (fault instanceof GitFault) return fault;
    throw fault;
  });
  if (!(outcome instanceof GitFault) && outcome.code === 0)
    return { path, branch: name, ...(base.note === null ? {} : { note: base.note }) };
  if (signal?.aborted) {
    await takeBack(places, path, name, base);
    throw signal.reason;
  }
  const complaint = outcome instanceof GitFault ? outcome.message : complaintOf(outcome);
  // Somebody else was faster than our look.
  if (/already exists/.test(complaint)) throw collision(path, name);
  throw await halfWay(places, path, name, base, complaint);
}

/** Somebody changed their mind while files were being checked out: there is no work of anybody in it yet. */
async function takeBack(places: Places, path: string, name: string, base: Base): Promise<void> {
  const run = { cwd: places.commonDir, timeoutMs: CHECKOUT_TIMEOUT_MS };
  // git holds it locked while it is being made.
  await runGit(["worktree", "unlock", "--", path], run);
  await rm(path, { recursive: true, force: true });
  await runGit(["worktree", "prune"], run);
  await runGit(["update-ref", "-d", `refs/heads/${name}`, base.commit], run);
  await removeEmptyAbove(path, places.mainRoot);
}

/** What is left of a failed cut: nothing, after a bare branch was taken back; otherwise what exists is named. */
async function halfWay(
  places: Places,
  path: string,
  name: string,
  base: Base,
  complaint: string,
): Promise<Error> {
  if (await exists(path)) {
    return refuse(
      "stopped-partway",
      { landed: { worktree: { path, branch: name } } },
      `Cutting the worktree stopped half-way: ${complaint}. What exists now: ${path} on the branch ${name} (remove it with: git worktree remove --force ${path}).`,
    );
  }
  await removeEmptyAbove(path, places.mainRoot);
  const run = { cwd: places.commonDir, timeoutMs: LOOK_TIMEOUT_MS };
  const ref = `refs/heads/${name}`;
  const { code } = await runGit(["rev-parse", "--quiet", "--verify", ref], run);
  if (code !== 0) return gitFailed(complaint);
  // Ours, made a moment ago without a commit of its own; git takes it back only while it still points there.
  const taken = await runGit(["update-ref", "-d", ref, base.commit], run);
  return gitFailed(
    taken.code === 0 ? complaint : `${complaint} (the branch ${name} is left: git branch -D ${name})`,
  );
}

/** `.worktrees/a/` is of no use once `.worktrees/a/b` is gone. A folder that holds anything stays. */
async function removeEmptyAbove(path: string, mainRoot: string): Promise<void> {
  for (
    let at = dirname(path);
    at !== mainRoot && at.startsWith(join(mainRoot, WORKTREES_FOLDER));
    at = dirname(at)
  ) {
    const removed = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

async function refuseCollision({ mainRoot, commonDir }: Places, path: string, name: string): Promise<void> {
  if (await exists(path)) throw collision(path, name);
  // `a` and `a/b` cannot both be branches, nor one worktree lie inside the other.
  for (let above = dirname(path); above !== join(mainRoot, WORKTREES_FOLDER); above = dirname(above)) {
    if (await exists(join(above, ".git"))) throw collision(above, name);
  }
  const { code, stdout } = await runGit(["for-each-ref", "--format=%(refname)", `refs/heads/${name}`], {
    cwd: commonDir,
    timeoutMs: LOOK_TIMEOUT_MS,
  });
  if (code === 0 && stdout.trim() !== "") throw collision(path, name);
}

/** The folder of worktrees must not make the main worktree dirty. Two lines, when two come at once, do no harm. */
async function keepOutOfStatus(commonDir: string): Promise<void> {
  const exclude = join(commonDir, "info", "exclude");
  const line = `/${WORKTREES_FOLDER}/`;
  const text = await readFile(exclude, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return "";
    throw cause;
  });
  if (text.split("\n").includes(line)) return;
  await mkdir(dirname(exclude), { recursive: true });
  await appendFile(exclude, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

async function hasCommitsOfItsOwn(root: string, branch: string | null): Promise<boolean> {
  const others = branch === null ? [] : [`--exclude=${branch}`];
  const args = ["rev-list", "--max-count=1", "HEAD", "--not", ...others, "--branches", "--remotes"];
  return (await must(runGit(args, { cwd: root, timeoutMs: LOOK_TIMEOUT_MS }))).trim() !== "";
}

async function repositoryOf(path: string): Promise<Places> {
  const location = await locateRepository(path);
  if (location.kind === "repository") return location.places;
  throw location.kind === "none" ? notARepo(path) : gitFailed(location.cause.message);
}

async function must(running: Promise<GitOutcome>): Promise<string> {
  const outcome = await running;
  if (outcome.code !== 0) throw gitFailed(complaintOf(outcome));
  return outcome.stdout;
}

function badName(name: string, problem: string): Error {
  return refuse(
    "bad-worktree-name",
    { worktree: name, reason: problem },
    `${JSON.stringify(name)} cannot name a worktree and its branch: ${problem}.`,
  );
}

function notARepo(path: string): Error {
  return refuse("not-a-repo", { path }, `${path} is in no git repository. Give the path of one.`);
}

function gitFailed(detail: string): Error {
  return refuse("git-failed", { detail }, `git refused: ${detail}.`);
}

function collision(path: string, branch: string): Error {
  return refuse(
    "worktree-name-collision",
    { path, branch },
    `A worktree or branch named ${branch} is there already (${path}). Choose another name.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
