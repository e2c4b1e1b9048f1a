// padi about itself: who it is, how it fares, and leaving.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Hello } from "@kolu/contract/version.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { KavalLink } from "../kaval-link.ts";

export interface DaemonWorld {
  hello: Hello;
  kaval: KavalLink;
  log: Log;
  clientCount(): number;
  /** Flushes and ends the process. */
  leave(reason: string): void;
}

export function daemonHandlers(
  world: DaemonWorld,
): Pick<Handlers<PadiContract>, "hello" | "drain" | "status.watch" | "stats"> {
  const { hello, kaval, log } = world;
  return {
    hello: () => hello,
    drain({ reason }) {
      log.info(`drained: ${reason}`);
      // After the answer has gone out: the caller should hear that it was heard.
      setImmediate(() => world.leave(reason));
      return {};
    },
    async *"status.watch"(_params, { signal }) {
      for await (const status of kaval.status.watch(signal)) yield { padi: hello, kaval: status };
    },
    async stats(_params, { signal }) {
      // Asked of a kaval that is there; one that has to be waited for has no figure to give.
      const kavalRssBytes =
        kaval.boot() === null ? null : (await kaval.call("stats", {}, { signal })).rssBytes;
      return { rssBytes: process.memoryUsage.rss(), kavalRssBytes, clients: world.clientCount() };
    },
  };
}
