// Waits: one engine (wait/wait.ts) behind one member.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { given } from "../terminals/spawn.ts";
import type { WaitWorld } from "../wait/course.ts";
import { wait } from "../wait/wait.ts";

export function waitHandlers(world: WaitWorld): Pick<Handlers<PadiContract>, "terminal.wait"> {
  return {
    "terminal.wait"({ id, until, ...modifiers }, { signal }) {
      return wait({ id, until, ...given(modifiers) }, world, signal);
    },
  };
}
