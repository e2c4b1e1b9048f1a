// Which terminal a verb is called from. Pure.
import type { Caller } from "@kolu/contract/verb.ts";
import type { EndpointWords, Environment } from "./endpoint.ts";

/** The terminal around us means nothing to the padi of another machine. */
export function callerOf({ host }: Pick<EndpointWords, "host">, env: Environment): Caller {
  return { terminalId: (host === undefined && env.KAVAL_TERMINAL_ID) || null };
}
