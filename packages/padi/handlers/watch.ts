// Watch subscriptions: watch/ behind three members.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Follow } from "../terminals/follow.ts";
import type { Watches } from "../watch/watches.ts";

export interface WatchWorld {
  follow: Follow;
  watches: Watches;
}

/** A padi that has just started opens no watch before it has met its kaval, but is not waited for longer than this. */
const MEETING_MS = 3_000;

export function watchHandlers({
  follow,
  watches,
}: WatchWorld): Pick<Handlers<PadiContract>, "watch.open" | "watch.next" | "watch.close"> {
  return {
    async "watch.open"(params, { signal }) {
      await follow.whenMet(MEETING_MS, signal);
      return watches.open(params);
    },
    "watch.next": (params, { signal }) => watches.next(params, signal),
    "watch.close"({ name }) {
      watches.close(name);
      return {};
    },
  };
}
