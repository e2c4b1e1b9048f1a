// Which terminals need a person.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { AttentionWatch } from "../attention/watch.ts";

export function urgencyHandlers(attention: AttentionWatch): Pick<Handlers<PadiContract>, "urgency.watch"> {
  return { "urgency.watch": (_params, { signal }) => attention.urgency.watch(signal) };
}
