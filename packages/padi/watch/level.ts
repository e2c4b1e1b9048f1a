// How terminals stand, told until somebody deals with it: the source of a subscription with state knobs. Pure.
import type { Bucket } from "@kolu/contract/agent.ts";
import type { StateEvent } from "@kolu/contract/watch.ts";
import type { Sighting } from "./sighting.ts";

export interface LevelKnobs {
  states: readonly Bucket[];
  heldForMs: number;
  /** Null: told once. */
  nagMs: number | null;
}

/** What a level remembers of a terminal that stands in one of its states. */
export interface LevelMark {
  bucket: Bucket;
  /** When the episode began, epoch ms. */
  sinceMs: number;
  /** The beginning of the agent's own state when it was last looked at: within one bucket it may change. */
  seenMs: number;
  /** Null: not told yet, it has not held long enough. */
  toldAtMs: number | null;
}

export interface LevelStep {
  /** Null: nothing to remember. */
  after: LevelMark | null;
  tell: StateEvent["kind"] | null;
  /** When to look again without any news, epoch ms. */
  againAtMs: number | null;
}

/** `opening`: the subscription was just opened, and whatever stands is handed over. */
export function stepLevel(
  before: LevelMark | undefined,
  sighting: Sighting,
  { states, heldForMs, nagMs, opening, nowMs }: LevelKnobs & { opening: boolean; nowMs: number },
): LevelStep {
  const { standing } = sighting;
  if (sighting.live && !sighting.seenBefore && standing === null)
    return { after: before ?? null, tell: null, againAtMs: null };
  if (!sighting.live || standing === null || !states.includes(standing.bucket))
    return { after: null, tell: null, againAtMs: null };
  const known = before !== undefined && isSameEpisode(before, standing, sighting.seenBefore) ? before : null;
  const mark: LevelMark = {
    bucket: standing.bucket,
    sinceMs: known?.sinceMs ?? standing.sinceMs,
    // At work an agent goes from one state to the next all the time: that is no news of the bucket.
    seenMs: standing.bucket === "working" ? (known?.seenMs ?? standing.sinceMs) : standing.sinceMs,
    toldAtMs: known?.toldAtMs ?? null,
  };
  const heldAtMs = mark.sinceMs + heldForMs;
  if (nowMs < heldAtMs) return { after: mark, tell: null, againAtMs: heldAtMs };
  if (opening) return told(mark, "snapshot", { nowMs, nagMs });
  if (mark.toldAtMs === null) return told(mark, "transition", { nowMs, nagMs });
  if (nagMs === null) return { after: mark, tell: null, againAtMs: null };
  const nagAtMs = mark.toldAtMs + nagMs;
  return nowMs < nagAtMs
    ? { after: mark, tell: null, againAtMs: nagAtMs }
    : told(mark, "nag", { nowMs, nagMs });
}

function told(
  mark: LevelMark,
  kind: StateEvent["kind"],
  { nowMs, nagMs }: { nowMs: number; nagMs: number | null },
): LevelStep {
  return {
    after: { ...mark, toldAtMs: nowMs },
    tell: kind,
    againAtMs: nagMs === null ? null : nowMs + nagMs,
  };
}

/** Under our eyes a bucket that was not left is the same episode; after a restart its beginning tells. */
function isSameEpisode(
  before: LevelMark,
  standing: NonNullable<Sighting["standing"]>,
  seenBefore: boolean,
): boolean {
  if (before.bucket !== standing.bucket) return false;
  return seenBefore || standing.bucket === "working" || before.seenMs === standing.sinceMs;
}
