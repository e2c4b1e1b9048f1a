import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { type SearchWorld, searchSteps, searchText } from "../search/search.ts";

export function searchHandlers(
  world: SearchWorld,
): Pick<Handlers<PadiContract>, "search.text" | "search.steps"> {
  return {
    "search.text": (params, { signal }) => searchText(params, world, signal),
    "search.steps": (params, { signal }) => searchSteps(params, world, signal),
  };
}
