// Tells when a live view has changed: one feed of padi for each kind that somebody asked for, and a notice for each
// resource, gathered for a moment.
import { setTimeout as sleep } from "node:timers/promises";
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { StreamNames } from "@kolu/contract/rpc.ts";
import type { Connection } from "./connection.ts";
import { DAEMON_STATUS, IDENTITY, type Place, placeOf, STATUS, TERMINALS, URGENCY } from "./resources.ts";

/** Changes of one resource within this long are one notice, at its end. */
const GATHER_MS = 200;
/** Between attempts to have a feed back from a padi that cannot be reached. */
const RETRY_MS = 1_000;

type Feed = Extract<StreamNames<PadiContract>, "terminals.watch" | "urgency.watch" | "status.watch">;

export interface Feeds {
  /** Throws for what is no resource of ours. */
  subscribe(uri: string): void;
  unsubscribe(uri: string): void;
  /** Everything: for a protocol in which the transport knows who asked for what, and we do not. */
  subscribeAll(): void;
  close(): void;
}

export function createFeeds(connection: Connection, notify: (uri: string) => void): Feeds {
  const wanted = new Set<string>();
  let all = false;
  const running = new Map<Feed, AbortController>();
  const gathering = new Map<string, NodeJS.Timeout>();

  function changed(uri: string): void {
    if ((!all && !wanted.has(uri)) || gathering.has(uri)) return;
    const timer = setTimeout(() => {
      gathering.delete(uri);
      notify(uri);
    }, GATHER_MS);
    gathering.set(uri, timer);
  }

  function reconcile(): void {
    const needed = new Set([...wanted].map((uri) => feedOf(placeOf(uri))));
    if (all)
      for (const feed of ["terminals.watch", "urgency.watch", "status.watch"] as const) needed.add(feed);
    for (const feed of needed) {
      if (running.has(feed)) continue;
      const abort = new AbortController();
      running.set(feed, abort);
      void follow(feed, abort.signal);
    }
    for (const [feed, abort] of running)
      if (!needed.has(feed)) {
        running.delete(feed);
        abort.abort();
      }
  }

  async function follow(feed: Feed, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { client } = await connection.link();
        for await (const item of client.subscribe(feed, {}, { signal }))
          for (const uri of urisOf(feed, item)) changed(uri);
      } catch {
        // The link dropped, or there is none yet: the next one begins with a snapshot, which tells again.
      }
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    subscribe(uri) {
      placeOf(uri);
      wanted.add(uri);
      reconcile();
    },
    unsubscribe(uri) {
      wanted.delete(uri);
      reconcile();
    },
    subscribeAll() {
      all = true;
      reconcile();
    },
    close() {
      for (const abort of running.values()) abort.abort();
      for (const timer of gathering.values()) clearTimeout(timer);
      running.clear();
    },
  };
}

function feedOf({ kind }: Place): Feed {
  switch (kind) {
    case "terminals":
    case "terminal":
      return "terminals.watch";
    case "urgency":
      return "urgency.watch";
    default:
      return "status.watch";
  }
}

/** Pure. The resources that an item of a feed is news of. */
export function urisOf(feed: Feed, item: unknown): string[] {
  switch (feed) {
    case "terminals.watch": {
      const frame = item as
        | { kind: "snapshot"; rows: { id: string }[] }
        | { kind: "delta"; upserts: { id: string }[]; removals: string[] };
      const ids =
        frame.kind === "snapshot"
          ? frame.rows.map(({ id }) => id)
          : [...frame.upserts.map(({ id }) => id), ...frame.removals];
      return [TERMINALS, ...ids.map((id) => `${TERMINALS}/${id}`)];
    }
    case "urgency.watch":
      return [URGENCY];
    case "status.watch":
      return [DAEMON_STATUS, `${DAEMON_STATUS}/local`, STATUS, IDENTITY];
    default:
      return feed satisfies never;
  }
}
