// The serving half of a live view: rows by id, a revision for every publication, and any number of readers, each of which
// costs one number. A reader that falls behind gets one delta that covers all it missed, never a queue.
import type { LiveViewFrame } from "@kolu/contract/live-view.ts";
import { nextWake } from "../cell.ts";

/** Removals remembered for readers that reconnect; an older reader gets a snapshot. */
const REMOVALS_MAX = 1_024;
/** A row that changes all the time is published at most this often, always with its newest value. */
const COALESCE_MS = 16;

export interface LiveView<R extends { id: string }> {
  /** The row is now this. Published at once when it was quiet, else at the end of its coalescing window. */
  put(row: R): void;
  remove(id: string): void;
  /** A snapshot (or, for a reader that names this boot and a revision still known, a delta), then deltas for ever. */
  read(
    since: { boot: string; revision: number } | undefined,
    signal: AbortSignal,
  ): AsyncIterable<LiveViewFrame<R>>;
  dispose(): void;
}

interface Published<R> {
  row: R;
  revision: number;
  atMs: number;
}

export function createLiveView<R extends { id: string }>(options: {
  boot: string;
  now(): number;
}): LiveView<R> {
  const { boot, now } = options;
  const published = new Map<string, Published<R>>();
  const pending = new Map<string, R>();
  /** Id to the revision of its removal, oldest first. */
  const removals = new Map<string, number>();
  let revision = 0;
  /** Readers at a revision before this one cannot be served by a delta. */
  let floor = 0;
  let timer: NodeJS.Timeout | null = null;
  const waiting = new Set<() => void>();
  const wakeReaders = (): void => {
    for (const wake of waiting) wake();
  };

  const publish = (row: R, atMs: number): void => {
    revision += 1;
    published.set(row.id, { row, revision, atMs });
    removals.delete(row.id);
    wakeReaders();
  };

  const publishDue = (): void => {
    timer = null;
    const atMs = now();
    let nextMs = Infinity;
    for (const [id, row] of pending) {
      const dueMs = (published.get(id)?.atMs ?? 0) + COALESCE_MS;
      if (dueMs <= atMs) {
        pending.delete(id);
        publish(row, atMs);
      } else nextMs = Math.min(nextMs, dueMs);
    }
    if (pending.size > 0) timer = setTimeout(publishDue, nextMs - atMs).unref();
  };

  const frameSince = (since: number): LiveViewFrame<R> => {
    const upserts = [...published.values()]
      .filter((entry) => entry.revision > since)
      .map((entry) => entry.row);
    const removed = [...removals].filter(([, at]) => at > since).map(([id]) => id);
    return { kind: "delta", revision, upserts, removals: removed };
  };

  return {
    put(row) {
      const last = published.get(row.id);
      if (!last || now() - last.atMs >= COALESCE_MS) {
        pending.delete(row.id);
        publish(row, now());
        return;
      }
      pending.set(row.id, row);
      timer ??= setTimeout(publishDue, last.atMs + COALESCE_MS - now()).unref();
    },

    remove(id) {
      pending.delete(id);
      // Whatever led to this, such as a child that found another parent, is seen no later than this.
      for (const row of pending.values()) publish(row, now());
      pending.clear();
      if (!published.delete(id)) return;
      revision += 1;
      removals.set(id, revision);
      if (removals.size > REMOVALS_MAX) {
        const [oldestId, oldestRevision] = removals.entries().next().value!;
        removals.delete(oldestId);
        floor = oldestRevision;
      }
      wakeReaders();
    },

    async *read(since, signal) {
      const resumes =
        since !== undefined && since.boot === boot && since.revision >= floor && since.revision <= revision;
      let at = resumes ? since.revision : revision;
      if (!resumes)
        yield { kind: "snapshot", boot, revision, rows: [...published.values()].map((entry) => entry.row) };
      while (!signal.aborted) {
        if (at < revision) {
          const from = at;
          at = revision;
          yield from < floor
            ? { kind: "snapshot", boot, revision, rows: [...published.values()].map((entry) => entry.row) }
            : frameSince(from);
          continue;
        }
        await nextWake(waiting, signal);
      }
    },

    dispose() {
      if (timer) clearTimeout(timer);
      timer = null;
      pending.clear();
      wakeReaders();
    },
  };
}
