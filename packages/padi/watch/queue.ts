// What one subscription keeps for its client between two calls. Pure: every function returns the next queue.
//
// Events leave only when the client says that they arrived; until then each call hands them over again, under the same
// `seq`. At the limit the oldest go and are counted: the count is part of what is handed over and acknowledged.
import { WATCH_QUEUE_MAX } from "@kolu/contract/limits.ts";
import type { WatchEvent } from "@kolu/contract/watch.ts";

export interface Queue {
  /** Oldest first. */
  events: readonly WatchEvent[];
  /** Every `seq` up to here has arrived at the client. */
  acknowledged: number;
  /** Events lost and not yet acknowledged as lost. */
  dropped: number;
  /** The last batch that spoke of lost events: acknowledging it acknowledges their loss. */
  told: { ackAfter: number; dropped: number } | null;
}

export interface Batch {
  events: readonly WatchEvent[];
  dropped: number;
  ackAfter: number;
}

/** A queue whose client knows everything up to `acknowledged`. */
export function emptyQueue(acknowledged: number): Queue {
  return { events: [], acknowledged, dropped: 0, told: null };
}

/** `lost`: what had to go for it. */
export function push(queue: Queue, event: WatchEvent): { queue: Queue; lost: readonly WatchEvent[] } {
  const overflow = Math.max(0, queue.events.length + 1 - WATCH_QUEUE_MAX);
  const lost = queue.events.slice(0, overflow);
  const events = [...queue.events.slice(overflow), event];
  return { queue: { ...queue, events, dropped: queue.dropped + lost.length }, lost };
}

/**
 * The client has everything up to `after`. The same queue when that is no news: an older number, or one above `newestSeq`,
 * which no batch of ours can have named.
 */
export function acknowledge(queue: Queue, after: number, newestSeq: number): Queue {
  if (after > newestSeq) return queue;
  const knowsLoss = queue.told !== null && after >= queue.told.ackAfter;
  if (after <= queue.acknowledged && !knowsLoss) return queue;
  return {
    events: queue.events.filter((event) => event.seq > after),
    acknowledged: Math.max(queue.acknowledged, after),
    dropped: knowsLoss ? queue.dropped - queue.told!.dropped : queue.dropped,
    told: knowsLoss ? null : queue.told,
  };
}

/** Everything that is not acknowledged; null when there is nothing to say. */
export function handOver(queue: Queue): { queue: Queue; batch: Batch } | null {
  if (queue.events.length === 0 && queue.dropped === 0) return null;
  const { events, dropped } = queue;
  const ackAfter = events.at(-1)?.seq ?? queue.acknowledged;
  const told = dropped === 0 ? queue.told : { ackAfter, dropped };
  return { queue: told === queue.told ? queue : { ...queue, told }, batch: { events, dropped, ackAfter } };
}
