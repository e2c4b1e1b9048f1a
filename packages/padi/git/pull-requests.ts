// The pull request of each terminal's branch. Terminals of one branch share one look; looks come one after another, when
// the branch changed, when something was pushed, and otherwise ever more seldom.
import { isDeepStrictEqual } from "node:util";
import type { GitFacts, PullRequest } from "@kolu/contract/terminal.ts";
import { rememberedDefault } from "./base.ts";
import { askPullRequest } from "./gh.ts";
import { complaintOf, mayHavePushed, type PullRequestAnswer, restMs } from "./pull-request.ts";

export interface PullRequestWatch {
  /** What git says of the terminal's directory now; its pull request follows. */
  track(id: string, git: GitFacts | null): void;
  untrack(id: string): void;
  /** This line ended in the terminal: it may have made or merged a pull request. */
  commandEnded(id: string, line: string): void;
  /** Why none can be shown of this terminal's branch, in a sentence; null when gh answers. */
  complaint(id: string): string | null;
  dispose(): void;
}

export interface PullRequestOptions {
  onPullRequest(id: string, pr: PullRequest | null): void;
  onFault(error: Error): void;
  ask?: (root: string, signal: AbortSignal) => Promise<PullRequestAnswer>;
}

interface Branch {
  key: string;
  git: GitFacts;
  members: Set<string>;
  answer: PullRequestAnswer | null;
  /** Of the last answer that knew. */
  pr: PullRequest | null;
  sameCount: number;
  timer: NodeJS.Timeout | null;
  dueMs: number;
  queued: boolean;
}

/** A branch is often left again at once (a rebase, a bisection). */
const SETTLE_MS = 500;
/** GitHub needs a moment after a push until the checks of it are there. */
const AFTER_PUSH_MS = 4_000;
const TELLING = /(^|[\s;&|])(gh|hub|git\s+push)(\s|$)/;

export function createPullRequestWatch(options: PullRequestOptions): PullRequestWatch {
  const ask = options.ask ?? askPullRequest;
  const branches = new Map<string, Branch>();
  const branchOf = new Map<string, Branch>();
  const disposed = new AbortController();
  const queue: Branch[] = [];
  let looking = false;

  function lookIn(branch: Branch, delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (branch.queued || (branch.timer !== null && branch.dueMs <= dueMs)) return;
    if (branch.timer !== null) clearTimeout(branch.timer);
    branch.dueMs = dueMs;
    branch.timer = setTimeout(() => {
      branch.timer = null;
      branch.queued = true;
      queue.push(branch);
      void work();
    }, delayMs).unref();
  }

  /** One gh at a time: whoever has forty worktrees wants a processor for them, too. */
  async function work(): Promise<void> {
    if (looking) return;
    looking = true;
    for (let branch = queue.shift(); branch !== undefined; branch = queue.shift()) {
      branch.queued = false;
      if (branches.get(branch.key) === branch) await look(branch);
    }
    looking = false;
  }

  async function look(branch: Branch): Promise<void> {
    try {
      const answer = await answerOf(branch);
      if (branches.get(branch.key) === branch) accept(branch, answer);
    } catch (cause) {
      if (!disposed.signal.aborted)
        options.onFault(
          new Error(`the pull request of ${branch.git.root} could not be asked for`, { cause }),
        );
    }
  }

  /** The default branch has none of its own; gh would name some fork's. */
  async function answerOf({ git: { root, branch } }: Branch): Promise<PullRequestAnswer> {
    if ((await rememberedDefault(root)) === branch) return { kind: "none" };
    return ask(root, disposed.signal);
  }

  function accept(branch: Branch, answer: PullRequestAnswer): void {
    branch.sameCount = isDeepStrictEqual(branch.answer, answer) ? branch.sameCount + 1 : 0;
    branch.answer = answer;
    // What gh told once stands while it does not answer.
    if (answer.kind !== "unavailable") branch.pr = answer.kind === "found" ? answer.pr : null;
    if (branch.sameCount === 0) for (const id of branch.members) tell(id, branch);
    lookIn(branch, restMs(answer, branch.sameCount));
  }

  function tell(id: string, branch: Branch): void {
    options.onPullRequest(id, branch.pr);
  }

  function untrack(id: string): void {
    const branch = branchOf.get(id);
    if (branch === undefined) return;
    branchOf.delete(id);
    branch.members.delete(id);
    if (branch.members.size > 0) return;
    if (branch.timer !== null) clearTimeout(branch.timer);
    branches.delete(branch.key);
  }

  return {
    track(id, git) {
      const key = git === null || git.branch === null ? null : `${git.root}\0${git.branch}`;
      const known = branchOf.get(id);
      if (known !== undefined && known.key === key) {
        const before = known.git;
        known.git = git!;
        if (!mayHavePushed(before, known.git)) return;
        known.sameCount = 0;
        lookIn(known, AFTER_PUSH_MS);
        return;
      }
      untrack(id);
      if (key === null) {
        options.onPullRequest(id, null);
        return;
      }
      let branch = branches.get(key);
      if (branch === undefined) {
        branch = {
          key,
          git: git!,
          members: new Set(),
          answer: null,
          pr: null,
          sameCount: 0,
          timer: null,
          dueMs: 0,
          queued: false,
        };
        branches.set(key, branch);
        lookIn(branch, SETTLE_MS);
      }
      branch.members.add(id);
      branchOf.set(id, branch);
      if (branch.answer !== null) tell(id, branch);
    },
    untrack,
    commandEnded(id, line) {
      const branch = branchOf.get(id);
      if (branch === undefined || !TELLING.test(line)) return;
      branch.sameCount = 0;
      lookIn(branch, SETTLE_MS);
    },
    complaint(id) {
      const answer = branchOf.get(id)?.answer ?? null;
      return answer === null ? null : complaintOf(answer);
    },
    dispose() {
      disposed.abort();
      for (const id of [...branchOf.keys()]) untrack(id);
    },
  };
}
