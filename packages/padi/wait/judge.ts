// When a wait is met: one pure judgement over what is known at this instant. wait.ts keeps what is known up to date.
import type { Bucket } from "@kolu/contract/agent.ts";
import type { WaitCondition } from "@kolu/contract/padi.ts";

export interface WaitSpec {
  until: WaitCondition;
  /** Also no output byte for this long. */
  settledMs: number | null;
  /** Nothing older than this instant counts (epoch ms); null: everything does. */
  afterMs: number | null;
}

export interface Known {
  /** Epoch ms of the last output byte or the last input, whichever is later; null while no output is being heard, which
   * is never taken for silence. */
  stirredAtMs: number | null;
  /** What the agent, or a program that reports in band, is doing; null when nothing is known. */
  standing: { bucket: Bucket; sinceMs: number } | null;
  matchedLine: string | null;
}

/** What would be reported. Two candidates that are equal are the same answer. */
export interface Candidate {
  fired: WaitCondition["kind"];
  bucket: Bucket | null;
  matchedLine: string | null;
}

export type Judgement =
  | { kind: "met"; candidate: Candidate }
  /** `againAtMs`: when silence alone would meet it; null: only news can. */
  | { kind: "not-yet"; againAtMs: number | null };

export function judge(spec: WaitSpec, known: Known, nowMs: number): Judgement {
  const candidate = holds(spec, known);
  if (candidate === null) return { kind: "not-yet", againAtMs: null };
  const quietMs = quietNeeded(spec);
  if (quietMs === 0) return { kind: "met", candidate };
  if (known.stirredAtMs === null) return { kind: "not-yet", againAtMs: null };
  const quietAtMs = Math.max(known.stirredAtMs, spec.afterMs ?? 0) + quietMs;
  return nowMs >= quietAtMs ? { kind: "met", candidate } : { kind: "not-yet", againAtMs: quietAtMs };
}

/** Milliseconds of silence that the wait asks for, 0 when it asks for none. */
export function quietNeeded(spec: WaitSpec): number {
  return Math.max(spec.settledMs ?? 0, spec.until.kind === "idle" ? spec.until.idleMs : 0);
}

/** The condition apart from silence. */
function holds(spec: WaitSpec, known: Known): Candidate | null {
  const { until } = spec;
  switch (until.kind) {
    case "idle":
      return { fired: "idle", bucket: null, matchedLine: null };
    case "match":
      return known.matchedLine === null
        ? null
        : { fired: "match", bucket: null, matchedLine: known.matchedLine };
    case "agent": {
      const { standing } = known;
      if (standing === null || !until.buckets.includes(standing.bucket)) return null;
      if (spec.afterMs !== null && standing.sinceMs < spec.afterMs) return null;
      return { fired: "agent", bucket: standing.bucket, matchedLine: null };
    }
    default:
      return until satisfies never;
  }
}
