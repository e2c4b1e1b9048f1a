// Moments that leave nothing behind: whoever listens when they happen hears them.
import type { KavalNotice } from "@kolu/contract/kaval.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { nextWake } from "../cell.ts";

/** Notices held for one slow listener; the oldest go, because a late bell is no use. */
const QUEUE_MAX = 256;

export interface Notices {
  publish(notice: KavalNotice): void;
  handlers: Pick<Handlers<PadiContract>, "notices.watch">;
}

export function createNotices(): Notices {
  const queues = new Set<KavalNotice[]>();
  const waiting = new Set<() => void>();
  return {
    publish(notice) {
      for (const queue of queues) {
        queue.push(notice);
        if (queue.length > QUEUE_MAX) queue.shift();
      }
      for (const wake of waiting) wake();
    },
    handlers: {
      async *"notices.watch"(_params, { signal }) {
        const queue: KavalNotice[] = [];
        queues.add(queue);
        try {
          while (!signal.aborted) {
            const notice = queue.shift();
            if (notice) yield notice;
            else await nextWake(waiting, signal);
          }
        } finally {
          queues.delete(queue);
        }
      },
    },
  };
}
