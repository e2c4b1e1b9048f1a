// kavalContract -> functions.
import { readdirSync } from "node:fs";
import type { KavalContract } from "@kolu/contract/kaval.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Hello } from "@kolu/contract/version.ts";
import { SavedTerminal } from "./saved.ts";
import type { SavedScreens } from "./saved-screens.ts";
import type { Terminals } from "./terminals.ts";

export function createHandlers(
  hello: Hello,
  terminals: Terminals,
  saved: SavedScreens,
): Handlers<KavalContract> {
  return {
    hello: () => hello,
    stats: () => ({
      rssBytes: process.memoryUsage.rss(),
      ...terminals.counts(),
      openDescriptors: countDescriptors(),
    }),

    "terminal.spawn": (request) => terminals.spawn(request),
    "terminal.kill": ({ id }) => terminals.kill(id),
    "terminal.putAway": ({ id }) => terminals.putAway(id),
    "terminal.remove": async ({ id }) => {
      await terminals.remove(id);
      return {};
    },
    "terminal.input": ({ id, text }) => terminals.started(id).inputText(text),
    "terminal.resize": ({ id, cols, rows }) => {
      terminals.started(id).resize({ cols, rows });
      return {};
    },
    "terminal.setColors": ({ id, colors }) => {
      terminals.started(id).setColors(colors);
      return {};
    },
    "terminal.list": () => ({ boot: terminals.boot, terminals: terminals.rows() }),
    "terminal.watch": (_params, { signal }) =>
      terminals.feed.read(() => ({ boot: terminals.boot, terminals: terminals.rows() }), signal),

    "screen.text": ({ id, extent }) => {
      const terminal = terminals.find(id);
      return terminal instanceof SavedTerminal
        ? terminal.text(terminals.boot, extent)
        : terminal.text(extent);
    },
    "screen.since": ({ id, offset }) => terminals.find(id).since(offset),
    "screen.history": ({ id, maxLines, before, epoch }) =>
      terminals.find(id).history({
        maxLines,
        ...(before === undefined ? {} : { before }),
        ...(epoch === undefined ? {} : { epoch }),
      }),
    "checkpoint.flush": async () => ({ written: await saved.flush() }),
  };
}

/** Open file descriptors of this process; null where the system does not say. */
function countDescriptors(): number | null {
  try {
    // Reading the directory takes a descriptor itself.
    return readdirSync(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd").length - 1;
  } catch {
    return null;
  }
}
