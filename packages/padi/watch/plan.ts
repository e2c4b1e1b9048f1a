// What one look at some terminals does to one subscription. Pure: the plan is written to disk, then taken.
import { isDeepStrictEqual } from "node:util";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { WatchEvent } from "@kolu/contract/watch.ts";
import { type FeedMark, seedFeed, stepFeed } from "./feed.ts";
import { type LevelMark, stepLevel } from "./level.ts";
import { isInScope, type Question, type Scope } from "./question.ts";
import { push, type Queue } from "./queue.ts";
import type { Sighting } from "./sighting.ts";

export type Mark = FeedMark | LevelMark;

export interface Subscription {
  name: string;
  question: Question;
  scope: Scope;
  queue: Queue;
  /** What its source remembers, by terminal. */
  marks: Map<string, Mark>;
  /** Terminals that it has not looked at since it was opened. */
  due: Set<string>;
  /** When time alone has something to tell of a terminal, epoch ms. */
  again: Map<string, number>;
}

export interface Plan {
  queue: Queue;
  added: WatchEvent[];
  lost: WatchEvent[];
  /** Changed marks; null: forgotten. */
  marks: Map<string, Mark | null>;
  again: Map<string, number | null>;
  /** No longer due. */
  settled: Set<string>;
}

export interface LookContext {
  /** Number of the newest event so far. */
  seq: number;
  nowMs: number;
  /** The record, or the last one of a terminal that was just removed. */
  record(id: string): TerminalRecord | undefined;
}

/** Events are numbered from `seq` + 1 on, in the order of the sightings. */
export function planOf(
  subscription: Subscription,
  sightings: ReadonlyMap<string, Sighting>,
  { seq, nowMs, record }: LookContext,
): Plan {
  const plan: Plan = {
    queue: subscription.queue,
    added: [],
    lost: [],
    marks: new Map(),
    again: new Map(),
    settled: new Set(),
  };
  for (const [id, sighting] of sightings) {
    if (!isInScope(subscription.scope, id)) continue;
    const step = stepOf(subscription, id, sighting, nowMs);
    if (!isDeepStrictEqual(step.after, subscription.marks.get(id) ?? null)) plan.marks.set(id, step.after);
    plan.again.set(id, step.againAtMs);
    if (sighting.seenBefore || sighting.standing !== null || !sighting.live) plan.settled.add(id);
    if (step.tell === null) continue;
    const head = {
      seq: seq + plan.added.length + 1,
      id: id as TerminalId,
      at: nowMs,
      ...placeOf(record(id)),
    };
    const event = { ...head, ...step.tell } as WatchEvent;
    const pushed = push(plan.queue, event);
    plan.queue = pushed.queue;
    plan.added.push(event);
    plan.lost.push(...pushed.lost);
  }
  return plan;
}

interface Step {
  after: Mark | null;
  tell: Pick<WatchEvent, "kind"> | null;
  againAtMs: number | null;
}

function stepOf({ question, marks, due }: Subscription, id: string, sighting: Sighting, nowMs: number): Step {
  switch (question.kind) {
    case "feed": {
      const before = marks.get(id) as FeedMark | undefined;
      // What stands when the feed is opened is no news.
      const seeds = due.has(id) && sighting.live;
      const { after, tell } = seeds ? { after: seedFeed(sighting), tell: null } : stepFeed(before, sighting);
      return { after, tell: tell === null ? null : { kind: tell }, againAtMs: null };
    }
    case "level": {
      const { after, tell, againAtMs } = stepLevel(marks.get(id) as LevelMark | undefined, sighting, {
        ...question,
        opening: due.has(id),
        nowMs,
      });
      if (tell === null || after === null) return { after, tell: null, againAtMs };
      const told = { kind: tell, state: after.bucket, since: after.sinceMs };
      return { after, tell: told, againAtMs };
    }
    default:
      return question satisfies never;
  }
}

function placeOf(record: TerminalRecord | undefined): { parentId?: TerminalId; intent?: string } {
  return {
    ...(record?.parentId ? { parentId: record.parentId } : {}),
    ...(record?.intent ? { intent: record.intent } : {}),
  };
}
