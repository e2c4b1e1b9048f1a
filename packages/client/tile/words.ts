// Numbers as a title bar says them. Pure.
import type { PullRequest } from "@kolu/contract/terminal.ts";

/** 812, 47K, 1.2M. */
export function compactCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1_000)}K`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** 8s, 12m, 1h 5m, 3d 2h: the two largest units at most; seconds only below a minute. */
export function shortDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`;
  if (ms < DAY_MS) return joined(ms, HOUR_MS, "h", MINUTE_MS, "m");
  return joined(ms, DAY_MS, "d", HOUR_MS, "h");
}

function joined(ms: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const rest = Math.floor((ms % largeMs) / smallMs);
  const head = `${Math.floor(ms / largeMs)}${large}`;
  return rest === 0 ? head : `${head} ${rest}${small}`;
}

/** 812 bytes, 64 KiB, 1.5 MiB. */
export function byteCount(bytes: number): string {
  if (bytes < 1024) return `${bytes} byte${bytes === 1 ? "" : "s"}`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** "Pull request 42 (open): Mend it. 1 of 3 checks failed: lint." */
export function pullRequestWords(pr: PullRequest): string {
  const state = pr.isDraft && pr.state === "open" ? "draft" : pr.state;
  return `Pull request ${pr.number} (${state}): ${pr.title}. ${checkWords(pr)}`.trimEnd();
}

function checkWords({ checks, checkRuns }: PullRequest): string {
  const named = (outcome: string): string[] =>
    checkRuns.filter((run) => run.outcome === outcome).map(({ name }) => name);
  switch (checks) {
    case null:
      return "";
    case "pass":
      return "All checks passed.";
    case "fail":
      return `${named("fail").length} of ${checkRuns.length} checks failed: ${named("fail").join(", ")}.`;
    case "pending":
      return `${named("pending").length} of ${checkRuns.length} checks still run: ${named("pending").join(", ")}.`;
    default:
      return checks satisfies never;
  }
}
