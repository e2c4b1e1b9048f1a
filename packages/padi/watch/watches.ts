// All subscriptions of this padi: told of every terminal, kept on disk, handed over. What is told is decided in feed.ts and
// level.ts, what is kept in queue.ts.
//
// Every look compares a terminal with what is remembered of it, never with the news that led here: a look that comes twice
// says nothing twice, and one whose outcome could not be written is made again. Nothing is handed over before it is on
// disk, so that neither padi's death nor the client's loses an event.
import { isDeepStrictEqual } from "node:util";
import { TIMER_MAX_MS, WATCHES_MAX } from "@kolu/contract/limits.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type {
  WatchEvent,
  WatchFrame,
  WatchNextParams,
  WatchOpened,
  WatchOpenParams,
} from "@kolu/contract/watch.ts";
import type { z } from "zod";
import { nextWake } from "../cell.ts";
import type { PadiDb } from "../db/db.ts";
import { type Plan, planOf, type Subscription } from "./plan.ts";
import { isInScope, questionOf, scopeOf } from "./question.ts";
import { acknowledge, emptyQueue, handOver, type Queue } from "./queue.ts";
import { createSightings, type SightingsOptions } from "./sightings.ts";

/** A subscription that nobody has asked for this long is thrown away: its client is not coming back. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1_000;
/** A disk that refuses a write is asked again this often. */
const RETRY_MS = 1_000;

export interface Watches {
  /** Throws the refusals of question.ts, or `watches-full`. */
  open(params: WatchOpenParams): z.infer<typeof WatchOpened>;
  /** Resolves with what there is, or at the timeout. Rejects with `watch-not-found`, or the signal's reason. */
  next(params: WatchNextParams, signal: AbortSignal): Promise<WatchFrame>;
  /** Throws `watch-not-found`. */
  close(name: string): void;
  dispose(): void;
}

export interface WatchesOptions extends SightingsOptions {
  db: PadiDb;
  now(): number;
  onFault(message: string, cause: unknown): void;
}

interface Open extends Subscription {
  usedAtMs: number;
  keepMs: number;
  /** Calls that wait for the next event. */
  bell: Set<() => void>;
}

export function openWatches(options: WatchesOptions): Watches {
  const { db, store, attention, now, onFault } = options;
  const open = new Map<string, Open>();
  const sightings = createSightings(options, look);
  let newestSeq = Number(db.meta.read("watch-seq") ?? 0);
  let timer: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;

  function load(): void {
    const loaded = db.watches.load();
    for (const { name, reason } of loaded.unreadable)
      onFault(`The watch ${JSON.stringify(name)} cannot be read and is left as it is`, new Error(reason));
    for (const { name, saved, events, marks } of loaded.watches) {
      const { question, scope, acknowledged, dropped, told, usedAtMs, keepMs } = saved;
      const queue = { events, acknowledged, dropped, told };
      open.set(name, {
        name,
        question,
        scope,
        queue,
        marks: marks as Open["marks"],
        due: new Set(),
        again: new Map(),
        usedAtMs,
        keepMs,
        bell: new Set(),
      });
    }
  }

  /** Looks at these terminals for every subscription, or for one. `last`: the record of one that was just removed. */
  function look(ids: Iterable<string>, only?: Open, last?: TerminalRecord): void {
    const seen = new Map([...ids].map((id) => [id, sightings.of(id)]));
    const plans: [Open, Plan][] = [];
    let seq = newestSeq;
    for (const subscription of only ? [only] : open.values()) {
      const plan = planOf(subscription, seen, {
        seq,
        nowMs: now(),
        record: (id) => store.get(id) ?? (last?.id === id ? last : undefined),
      });
      seq += plan.added.length;
      plans.push([subscription, plan]);
    }
    try {
      write(plans, seq);
    } catch (error) {
      onFault("What watches should be told is not on disk yet", error);
      retry ??= setTimeout(() => {
        retry = undefined;
        lookAll();
      }, RETRY_MS).unref();
      return;
    }
    newestSeq = seq;
    for (const [subscription, plan] of plans) take(subscription, plan);
    sightings.noteSeen(seen);
    rearm();
  }

  function write(plans: readonly [Open, Plan][], seq: number): void {
    const changed = plans.filter(([, plan]) => plan.added.length > 0 || plan.marks.size > 0);
    if (changed.length === 0) return;
    db.transaction(() => {
      for (const [subscription, plan] of changed) {
        const { name } = subscription;
        for (const event of plan.added) db.watches.putEvent(name, event);
        db.watches.removeEvents(
          name,
          plan.lost.map((event) => event.seq),
        );
        for (const [id, mark] of plan.marks)
          if (mark === null) db.watches.removeMark(name, id);
          else db.watches.putMark(name, id, mark);
        if (plan.queue.dropped !== subscription.queue.dropped)
          putDocument({ ...subscription, queue: plan.queue });
      }
      if (seq !== newestSeq) db.meta.put("watch-seq", String(seq));
    });
  }

  function take(subscription: Open, plan: Plan): void {
    subscription.queue = plan.queue;
    for (const [id, mark] of plan.marks)
      if (mark === null) subscription.marks.delete(id);
      else subscription.marks.set(id, mark);
    for (const [id, atMs] of plan.again)
      if (atMs === null) subscription.again.delete(id);
      else subscription.again.set(id, atMs);
    for (const id of plan.settled) subscription.due.delete(id);
    if (plan.added.length > 0) ring(subscription);
  }

  function ring({ bell }: Open): void {
    for (const wake of [...bell]) wake();
  }

  function putDocument({ name, question, scope, queue, usedAtMs, keepMs }: Open): void {
    const { acknowledged, dropped, told } = queue;
    db.watches.put(name, { question, scope, acknowledged, dropped, told, usedAtMs, keepMs });
  }

  function lookAll(): void {
    const ids = new Set(store.map().keys());
    for (const { marks } of open.values()) for (const id of marks.keys()) ids.add(id);
    look(ids);
  }

  /** One timer for all: the earliest moment at which time alone has something to tell. */
  function rearm(): void {
    let earliest = Infinity;
    for (const { again } of open.values())
      for (const atMs of again.values()) earliest = Math.min(earliest, atMs);
    clearTimeout(timer);
    if (earliest === Infinity) return;
    timer = setTimeout(lookAtDue, Math.min(Math.max(0, earliest - now()), TIMER_MAX_MS)).unref();
  }

  function lookAtDue(): void {
    const due = new Set<string>();
    for (const { again } of open.values()) for (const [id, atMs] of again) if (atMs <= now()) due.add(id);
    look(due);
  }

  function drop(name: string): void {
    const subscription = open.get(name);
    if (!subscription) return;
    db.watches.remove(name);
    open.delete(name);
    ring(subscription);
    rearm();
  }

  function expire(): void {
    for (const { name, bell, usedAtMs, keepMs } of [...open.values()])
      if (bell.size === 0 && usedAtMs < now() - keepMs) drop(name);
  }

  function named(name: string): Open {
    const subscription = open.get(name);
    if (subscription) return subscription;
    const known = [...open.keys()];
    const others = known.length === 0 ? "There is none." : `There are: ${known.join(", ")}.`;
    throw refuse(
      "watch-not-found",
      { name, known },
      `No watch is named ${JSON.stringify(name)}. ${others} Open it with watch_open.`,
    );
  }

  /** Keeps a queue of the subscription as the next state, on disk first. */
  function keep(subscription: Open, queue: Queue): void {
    const gone = subscription.queue.events.filter((event) => !queue.events.includes(event));
    db.transaction(() => {
      db.watches.removeEvents(
        subscription.name,
        gone.map((event) => event.seq),
      );
      putDocument({ ...subscription, queue });
    });
    subscription.queue = queue;
  }

  load();
  expire();
  lookAll();
  const stopListening = store.onChange((id, before, after) => {
    if (!before) sightings.expectNone(id);
    if (before?.agent !== after?.agent || before?.program !== after?.program || before?.life !== after?.life)
      look([id], undefined, before ?? undefined);
  });
  const stopMinding = attention.onClass((id) => look([id]));

  return {
    open(params) {
      const scope = scopeOf(params, (id) => store.get(id) !== undefined);
      const question = questionOf(params);
      expire();
      const before = open.get(params.name);
      if (!before && open.size >= WATCHES_MAX) throw full([...open.keys()]);
      const reattached = before !== undefined && isDeepStrictEqual(before.question, question);
      const inScope = (event: WatchEvent): boolean => isInScope(scope, event.id);
      const kept = reattached ? before.queue.events.filter(inScope) : [];
      const queue = reattached
        ? { ...before.queue, events: kept }
        : emptyQueue(before?.queue.acknowledged ?? newestSeq);
      const marks = reattached
        ? new Map([...before.marks].filter(([id]) => isInScope(scope, id)))
        : new Map();
      // A level leads with everything that stands; a feed tells what happens from here on, so it learns what stands now.
      const due = new Set(
        [...store.map().keys()].filter((id) => question.kind === "level" || !marks.has(id)),
      );
      const subscription: Open = {
        name: params.name,
        question,
        scope,
        queue,
        marks,
        due,
        again: new Map(),
        usedAtMs: now(),
        keepMs: params.keepMs ?? KEEP_MS,
        bell: before?.bell ?? new Set(),
      };
      db.transaction(() => {
        db.watches.remove(params.name);
        putDocument(subscription);
        for (const event of kept) db.watches.putEvent(params.name, event);
        for (const [id, mark] of marks) db.watches.putMark(params.name, id, mark);
      });
      open.set(params.name, subscription);
      look(store.map().keys(), subscription);
      ring(subscription);
      return { name: params.name, acknowledged: queue.acknowledged, reattached };
    },

    async next({ name, after, timeoutMs }, signal) {
      const startedAtMs = now();
      const first = named(name);
      first.usedAtMs = startedAtMs;
      if (after !== undefined) {
        const acked = acknowledge(first.queue, after, newestSeq);
        if (acked !== first.queue) keep(first, acked);
      }
      const timeout = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
      const over = timeout === null ? signal : AbortSignal.any([signal, timeout]);
      for (;;) {
        signal.throwIfAborted();
        const subscription = named(name);
        const given = handOver(subscription.queue);
        const elapsedMs = Math.max(0, Math.round(now() - startedAtMs));
        if (given !== null) {
          if (given.queue !== subscription.queue) keep(subscription, given.queue);
          return {
            id: name,
            result: "met",
            met: { ...given.batch, events: [...given.batch.events], elapsedMs },
          };
        }
        if (over.aborted) return { id: name, result: "timeout", elapsedMs };
        await nextWake(subscription.bell, over);
      }
    },

    close(name) {
      named(name);
      drop(name);
    },

    dispose() {
      stopListening();
      stopMinding();
      clearTimeout(timer);
      sightings.dispose();
      clearTimeout(retry);
    },
  };
}

function full(known: string[]): Error {
  return refuse(
    "watches-full",
    { known, limit: WATCHES_MAX },
    `${WATCHES_MAX} watches are open, and no more can be: ${known.join(", ")}. Close one with watch_close.`,
  );
}
