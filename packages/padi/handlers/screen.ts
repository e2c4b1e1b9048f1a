// What stands on a terminal's screen and above it. kaval answers; padi knows which ids there are.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { KavalLink } from "../kaval-link.ts";
import { given } from "../terminals/spawn.ts";
import type { TerminalStore } from "../terminals/store.ts";

export interface ScreenWorld {
  store: TerminalStore;
  kaval: KavalLink;
}

export function screenHandlers({
  store,
  kaval,
}: ScreenWorld): Pick<Handlers<PadiContract>, "screen.text" | "screen.history"> {
  return {
    async "screen.text"(params, { signal }) {
      store.require(params.id);
      const { text, cursor } = await kaval.call("screen.text", params, { signal });
      return { text, cursor };
    },
    "screen.history"({ id, maxLines, before, epoch }, { signal }) {
      store.require(id);
      return kaval.call("screen.history", { id, maxLines, ...given({ before, epoch }) }, { signal });
    },
  };
}
