// A repository's facts in words. Pure.
import type { CheckRun, GitFacts, PullRequest } from "@kolu/contract/terminal.ts";

export interface PlaceWords {
  branch: string;
  /** Null while it is not known. */
  tree: string | null;
  upstream: string | null;
}

export function placeWords({ branch, head, dirty, upstream, ahead, behind }: GitFacts): PlaceWords {
  return {
    branch: branch ?? (head === null ? "no commit yet" : `detached at ${head}`),
    tree: dirty === null ? null : dirty ? "uncommitted changes" : "clean",
    upstream: upstream === null ? null : `${upstream}, ${distance(ahead ?? 0, behind ?? 0)}`,
  };
}

function distance(ahead: number, behind: number): string {
  const parts = [...(ahead > 0 ? [`${ahead} ahead`] : []), ...(behind > 0 ? [`${behind} behind`] : [])];
  return parts.length === 0 ? "up to date" : parts.join(", ");
}

export const CHECK_WORDS: Readonly<Record<CheckRun["outcome"], string>> = {
  pass: "passed",
  fail: "failed",
  pending: "running",
  skipped: "skipped",
};

export function pullRequestWords({ state, isDraft, checks }: PullRequest): string {
  const what = isDraft && state === "open" ? "draft" : state;
  return checks === null ? what : `${what}, checks ${CHECK_WORDS[checks]}`;
}
