// Where a new worktree is cut from: the default branch of origin as it is there now, or the best that is known here.
import { refuse } from "@kolu/contract/refusals.ts";
import type { Places } from "./facts.ts";
import { inOrder } from "./in-order.ts";
import { complaintOf, GitFault, runGit } from "./run.ts";

export interface Base {
  /** What git is given. */
  ref: string;
  /** Where it points now. */
  commit: string;
  /** Why this is not origin's newest; null when it is. */
  note: string | null;
}

/** For everything that asks origin: a person waits for the terminal. */
const ORIGIN_TIMEOUT_MS = 10_000;
const LOOK_TIMEOUT_MS = 10_000;

/** Of this repository, the first that is there. */
const OWN_NAMES = ["main", "master", "HEAD"];

/** Fetches under way, by repository: eight worktrees cut at once need one. */
const fetching = new Map<string, Promise<Fetched>>();

type Fetched = { kind: "fetched" | "unreachable" | "no-origin"; branch: string | null; reason: string };

/**
 * What `findBase` will start from, in words, as far as that can be told without asking origin. Null: there is no commit.
 */
export async function expectedBase({ commonDir }: Places): Promise<string | null> {
  const look = { cwd: commonDir, timeoutMs: LOOK_TIMEOUT_MS };
  const origin = await runGit(["config", "--get", "remote.origin.url"], look);
  const remembered = origin.code === 0 ? await rememberedDefault(commonDir) : null;
  if (remembered !== null) return `the newest ${remembered} of origin`;
  for (const own of OWN_NAMES)
    if ((await commitOf(commonDir, ownRef(own))) !== null) {
      const here = own === "HEAD" ? "the current commit" : own;
      return origin.code === 0 ? `origin's default branch, else ${here}` : here;
    }
  return null;
}

/** The branch that somebody chose: one of this repository, or of a remote as last fetched. Refuses as `findBase` does. */
export async function chosenBase({ commonDir, mainRoot }: Places, branch: string): Promise<Base> {
  for (const ref of [`refs/heads/${branch}`, `refs/remotes/${branch}`]) {
    const commit = await commitOf(commonDir, ref);
    if (commit !== null) return { ref, commit, note: null };
  }
  throw refuse(
    "worktree-base-missing",
    { repo: mainRoot },
    `${mainRoot} has no branch ${branch} (any more) to cut a worktree from. Choose another.`,
  );
}

/** Refuses with `worktree-base-missing` in a repository without a commit to start from. */
export async function findBase({ commonDir, mainRoot }: Places): Promise<Base> {
  const { kind, branch, reason } = await fetchOnce(commonDir);
  const remote = branch === null ? null : `refs/remotes/origin/${branch}`;
  const candidates: [ref: string, note: string | null][] = [
    ...(remote === null
      ? []
      : [[remote, unlessFetched(kind, `${branch} of origin as last fetched: ${reason}`)] as const]),
    ...OWN_NAMES.map((own) => [ownRef(own), unlessNoOrigin(kind, own, reason)] as const),
  ].map(([ref, note]) => [ref, note]);
  for (const [ref, note] of candidates) {
    const commit = await commitOf(commonDir, ref);
    if (commit !== null) return { ref, commit, note };
  }
  throw refuse(
    "worktree-base-missing",
    { repo: mainRoot },
    `${mainRoot} has no commit yet to cut a worktree from. Commit something first.`,
  );
}

function ownRef(own: string): string {
  return own === "HEAD" ? own : `refs/heads/${own}`;
}

function unlessFetched(kind: Fetched["kind"], text: string): string | null {
  return kind === "fetched" ? null : `Cut from ${text}.`;
}

function unlessNoOrigin(kind: Fetched["kind"], own: string, reason: string): string {
  const what = own === "HEAD" ? "the current commit" : `the local branch ${own}`;
  return kind === "no-origin" ? `Cut from ${what}: there is no origin.` : `Cut from ${what}: ${reason}.`;
}

function fetchOnce(commonDir: string): Promise<Fetched> {
  const running = fetching.get(commonDir);
  if (running !== undefined) return running;
  const started = inOrder(commonDir, () => fetchDefault(commonDir)).finally(() => fetching.delete(commonDir));
  fetching.set(commonDir, started);
  return started;
}

async function fetchDefault(commonDir: string): Promise<Fetched> {
  const look = { cwd: commonDir, timeoutMs: LOOK_TIMEOUT_MS };
  const origin = await runGit(["config", "--get", "remote.origin.url"], look);
  if (origin.code !== 0) return { kind: "no-origin", branch: null, reason: "there is no origin" };
  const deadline = AbortSignal.timeout(ORIGIN_TIMEOUT_MS);
  const remembered = await rememberedDefault(commonDir);
  try {
    const first = remembered === null ? null : await fetchBranch(commonDir, remembered, deadline);
    // A default branch that was renamed over there fails here, too: ask which it is now.
    const asked = first?.kind === "fetched" ? null : await askDefault(commonDir, deadline);
    if (asked === null || asked === remembered)
      return first ?? { kind: "unreachable", branch: null, reason: "origin has no default branch" };
    return await fetchBranch(commonDir, asked, deadline);
  } catch (fault) {
    if (!(fault instanceof GitFault)) throw fault;
    const late = fault.reason === "aborted" || fault.reason === "timeout";
    const reason = late ? `origin did not answer within ${ORIGIN_TIMEOUT_MS / 1_000} s` : fault.message;
    return { kind: "unreachable", branch: remembered, reason };
  }
}

async function fetchBranch(commonDir: string, branch: string, signal: AbortSignal): Promise<Fetched> {
  const refspec = `+refs/heads/${branch}:refs/remotes/origin/${branch}`;
  const quiet = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"];
  const outcome = await runGit(
    [...quiet, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "origin", refspec],
    { cwd: commonDir, timeoutMs: ORIGIN_TIMEOUT_MS, signal },
  );
  if (outcome.code === 0) return { kind: "fetched", branch, reason: "" };
  return { kind: "unreachable", branch, reason: `origin could not be fetched (${complaintOf(outcome)})` };
}

/** What this clone was told once: `refs/remotes/origin/HEAD`. */
export async function rememberedDefault(commonDir: string): Promise<string | null> {
  const { code, stdout } = await runGit(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], {
    cwd: commonDir,
    timeoutMs: LOOK_TIMEOUT_MS,
  });
  const branch = stdout.trim().replace(/^refs\/remotes\/origin\//, "");
  return code === 0 && branch !== "" ? branch : null;
}

async function askDefault(commonDir: string, signal: AbortSignal): Promise<string | null> {
  const run = { cwd: commonDir, timeoutMs: ORIGIN_TIMEOUT_MS, signal };
  const outcome = await runGit(["ls-remote", "--symref", "origin", "HEAD"], run);
  if (outcome.code !== 0)
    throw new GitFault("refused", `origin could not be asked (${complaintOf(outcome)})`);
  return outcome.stdout.match(/^ref: refs\/heads\/(\S+)\tHEAD$/m)?.[1] ?? null;
}

async function commitOf(commonDir: string, ref: string): Promise<string | null> {
  const { code, stdout } = await runGit(["rev-parse", "--quiet", "--verify", `${ref}^{commit}`], {
    cwd: commonDir,
    timeoutMs: LOOK_TIMEOUT_MS,
  });
  return code === 0 ? stdout.trim() : null;
}
