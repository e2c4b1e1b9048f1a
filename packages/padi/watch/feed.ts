// What happens, once each: the feed of a subscription without state knobs. Pure.
import type { SettleEvent } from "@kolu/contract/watch.ts";
import type { Sighting } from "./sighting.ts";

/** What a feed remembers of a live terminal. */
export interface FeedMark {
  mark: "asking" | "finished" | "other";
  /** When the marked state began, epoch ms. */
  sinceMs: number | null;
}

export interface FeedStep {
  /** Null: the terminal is forgotten. */
  after: FeedMark | null;
  tell: SettleEvent["kind"] | null;
}

/** What is remembered of a terminal without telling of it. */
export function seedFeed(sighting: Sighting): FeedMark | null {
  if (!sighting.live) return null;
  const mark = markOf(sighting);
  return { mark, sinceMs: mark === "other" ? null : (sighting.standing?.sinceMs ?? null) };
}

/** `before` is undefined for a terminal that was never seen: it is new. */
export function stepFeed(before: FeedMark | undefined, sighting: Sighting): FeedStep {
  if (!sighting.live) return { after: null, tell: before === undefined ? null : "gone" };
  if (!sighting.seenBefore && sighting.standing === null)
    return { after: before ?? { mark: "other", sinceMs: null }, tell: null };
  const after = seedFeed(sighting)!;
  return { after, tell: news(before, after, sighting.seenBefore) };
}

function news(before: FeedMark | undefined, after: FeedMark, seenBefore: boolean): FeedStep["tell"] {
  if (after.mark === "other") return null;
  const was = before?.mark ?? "other";
  // The same mark again is another episode only when it began anew while nobody looked.
  const another = !seenBefore && before !== undefined && before.sinceMs !== after.sinceMs;
  if (after.mark === "asking") return was !== "asking" || another ? "asking" : null;
  if (was === "other") return "finished";
  // An answered question that ends the turn is the end of an episode that was told.
  return was === "finished" && another ? "finished" : null;
}

function markOf({ attention }: Sighting): FeedMark["mark"] {
  switch (attention) {
    case "awaiting":
      return "asking";
    case "finished":
      return "finished";
    case "working":
    case "linger":
    case "none":
      return "other";
    default:
      return attention satisfies never;
  }
}
