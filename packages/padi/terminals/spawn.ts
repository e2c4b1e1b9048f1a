// What every terminal that padi starts is given: the way back to this padi and its tools first on PATH.
import type { KavalContract } from "@kolu/contract/kaval.ts";
import type { ParamsOf } from "@kolu/contract/rpc.ts";
import type { Places } from "@kolu/daemon/places.ts";

type Spawn = ParamsOf<KavalContract, "terminal.spawn">;

export function terminalEnvironment(places: Places): Required<Pick<Spawn, "env" | "pathEntries">> {
  return {
    env: { PADI_SOCKET: places.padiSocket, KOLU_TERMINAL_TOOLS_PATH: places.launchers },
    pathEntries: [places.launchers],
  };
}

/** Leaves out what is undefined: a key that is there would count as given. */
export function given<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
