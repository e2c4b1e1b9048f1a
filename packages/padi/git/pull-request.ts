// What gh answers about a branch's pull request, and when to ask again. Pure. Written from gh 2.x: its JSON fields, its
// exit code 4 for "sign in first", and its sentences where the code says only that something is wrong.
import type { CheckRun, GitFacts, PullRequest } from "@kolu/contract/terminal.ts";
import { z } from "zod";

export type PullRequestAnswer =
  | { kind: "found"; pr: PullRequest }
  /** No pull request of this branch. */
  | { kind: "none" }
  /** No remote of the repository is on GitHub. */
  | { kind: "unsupported" }
  | { kind: "unavailable"; code: "not-installed" | "not-signed-in" | "timed-out" | "unknown" };

/** Checks beyond this many are counted in `checks` and not listed. */
const CHECK_RUNS_MAX = 100;

const Rollup = z.object({
  name: z.string().optional(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  /** A commit status, the older kind of check, has these two. */
  context: z.string().optional(),
  state: z.string().optional(),
});
const Viewed = z.object({
  number: z.int(),
  title: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  isDraft: z.boolean().catch(false),
  statusCheckRollup: z
    .array(Rollup)
    .nullish()
    .catch(() => null),
});

export function parsePullRequest(text: string): PullRequestAnswer {
  const viewed = Viewed.safeParse(parseJson(text));
  if (!viewed.success) return { kind: "unavailable", code: "unknown" };
  const { number, title, url, state, isDraft, statusCheckRollup } = viewed.data;
  const runs = (statusCheckRollup ?? []).map(checkRunOf);
  const pr: PullRequest = {
    number,
    title,
    url,
    state: stateOf(state),
    isDraft,
    checks: rollUp(runs),
    checkRuns: runs.slice(0, CHECK_RUNS_MAX),
  };
  return { kind: "found", pr };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function stateOf(state: string): PullRequest["state"] {
  if (state === "MERGED") return "merged";
  return state === "CLOSED" ? "closed" : "open";
}

function checkRunOf(run: z.infer<typeof Rollup>): CheckRun {
  const name = run.name ?? run.context ?? "check";
  if (run.context !== undefined) return { name, outcome: outcomeOf(run.state) };
  const ended = run.status == null || run.status === "COMPLETED";
  return { name, outcome: ended ? outcomeOf(run.conclusion) : "pending" };
}

function outcomeOf(word: string | null | undefined): CheckRun["outcome"] {
  switch (word) {
    case "SUCCESS":
      return "pass";
    case "NEUTRAL":
    case "SKIPPED":
    case "STALE":
      return "skipped";
    case "FAILURE":
    case "ERROR":
    case "CANCELLED":
    case "TIMED_OUT":
    case "ACTION_REQUIRED":
    case "STARTUP_FAILURE":
      return "fail";
    default:
      return "pending";
  }
}

function rollUp(runs: readonly CheckRun[]): PullRequest["checks"] {
  if (runs.length === 0) return null;
  if (runs.some(({ outcome }) => outcome === "fail")) return "fail";
  return runs.some(({ outcome }) => outcome === "pending") ? "pending" : "pass";
}

const SIGN_IN_FIRST = 4;

export function readComplaint(code: number, stderr: string): PullRequestAnswer {
  if (/no pull requests? found|no open pull requests/i.test(stderr)) return { kind: "none" };
  // Before the words about signing in: this complaint names them, too.
  if (/none of the git remotes|no git remotes|not a git repository/i.test(stderr))
    return { kind: "unsupported" };
  if (code === SIGN_IN_FIRST || /gh auth login|HTTP 401|bad credentials/i.test(stderr))
    return { kind: "unavailable", code: "not-signed-in" };
  return { kind: "unavailable", code: "unknown" };
}

/** Why no pull request can be shown, as a sentence for `kolu explain`. */
export function complaintOf(answer: PullRequestAnswer): string | null {
  if (answer.kind !== "unavailable") return null;
  switch (answer.code) {
    case "not-installed":
      return "No pull request is shown: gh, the GitHub command, is not installed.";
    case "not-signed-in":
      return "No pull request is shown: gh is not signed in (gh auth login).";
    case "timed-out":
      return "No pull request is shown: gh did not answer in time.";
    case "unknown":
      return "No pull request is shown: gh failed.";
    default:
      return answer.code satisfies never;
  }
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** How long the next look may wait when nothing happens meanwhile: longer with each that brought nothing new. */
export function restMs(answer: PullRequestAnswer, sameCount: number): number {
  const [firstMs, mostMs] = pace(answer);
  return Math.min(mostMs, firstMs * 2 ** Math.min(sameCount, 10));
}

function pace(answer: PullRequestAnswer): [firstMs: number, mostMs: number] {
  switch (answer.kind) {
    case "found":
      if (answer.pr.checks === "pending") return [20 * SECOND_MS, 2 * MINUTE_MS];
      return answer.pr.state === "open" ? [MINUTE_MS, 5 * MINUTE_MS] : [10 * MINUTE_MS, 30 * MINUTE_MS];
    case "none":
      return [MINUTE_MS, 10 * MINUTE_MS];
    case "unsupported":
      return [30 * MINUTE_MS, 60 * MINUTE_MS];
    case "unavailable":
      return answer.code === "timed-out" || answer.code === "unknown"
        ? [MINUTE_MS, 15 * MINUTE_MS]
        : [5 * MINUTE_MS, 15 * MINUTE_MS];
    default:
      return answer satisfies never;
  }
}

/** Whether origin may have got something of this branch in between, which is when its checks begin anew. */
export function mayHavePushed(before: GitFacts, now: GitFacts): boolean {
  const waits = now.ahead ?? 0;
  return (
    before.upstream !== now.upstream ||
    waits < (before.ahead ?? 0) ||
    (before.head !== now.head && waits === 0)
  );
}
