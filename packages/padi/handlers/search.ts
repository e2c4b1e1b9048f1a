import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { type SearchWorld, searchText } from "../search/search.ts";

export function searchHandlers(world: SearchWorld): Pick<Handlers<PadiContract>, "search.text"> {
  return { "search.text": (params, { signal }) => searchText(params, world, signal) };
}
