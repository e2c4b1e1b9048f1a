// What was used of late, as the page sees it: the tables, and everybody told when they change.
import { isDeepStrictEqual } from "node:util";
import type { RecentAgent, RecentRepo, Recents } from "@kolu/contract/launch.ts";
import { type Cell, createCell } from "../cell.ts";
import type { PadiDb } from "../db/db.ts";

export interface RecentsBook {
  view: Cell<Recents>;
  putRepo(repo: RecentRepo): void;
  putAgent(agent: RecentAgent): void;
}

export function openRecents({ recents }: Pick<PadiDb, "recents">): RecentsBook {
  const read = (): Recents => ({ repos: recents.repos(), agents: recents.agents() });
  const view = createCell<Recents>(read(), isDeepStrictEqual);
  return {
    view,
    putRepo(repo) {
      recents.putRepo(repo);
      view.set(read());
    },
    putAgent(agent) {
      recents.putAgent(agent);
      view.set(read());
    },
  };
}
