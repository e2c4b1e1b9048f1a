// An eyewitness that is not kolu: looks at Claude Code's own files many times a second and notes when they changed, so that
// kolu's delay can be measured against something.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { appended, LOOK_EVERY_MS, list } from "./own-files.ts";

export interface Witness {
  /** When the agent's own word for it was last seen appearing in its files (which may be later than the agent's stamp: a
   * busy machine writes late); null when it never was. `what` is a status word, or "tool_use" for a call in a transcript. */
  saidAtMs(what: string): number | null;
  stop(): void;
}

export function watchClaude(home: string): Witness {
  const said = new Map<string, number>();
  const statuses = new Map<string, string>();
  const offsets = new Map<string, number>();
  const look = () => {
    lookAtStatuses(join(home, ".claude", "sessions"), statuses, said);
    lookAtTranscripts(join(home, ".claude", "projects"), offsets, said);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    saidAtMs: (what) => said.get(what) ?? null,
    stop: () => clearInterval(timer),
  };
}

function lookAtStatuses(dir: string, statuses: Map<string, string>, said: Map<string, number>): void {
  for (const name of list(dir).filter((one) => one.endsWith(".json"))) {
    try {
      const { status, statusUpdatedAt } = JSON.parse(readFileSync(join(dir, name), "utf8")) as Record<
        string,
        unknown
      >;
      const stamp = `${status} ${statusUpdatedAt}`;
      if (typeof status !== "string" || typeof statusUpdatedAt !== "number" || statuses.get(name) === stamp)
        continue;
      statuses.set(name, stamp);
      said.set(status, Date.now());
    } catch {
      // Half-written or just removed: the next look is 10 ms away.
    }
  }
}

function lookAtTranscripts(dir: string, offsets: Map<string, number>, said: Map<string, number>): void {
  for (const project of list(dir)) {
    for (const name of list(join(dir, project)).filter((one) => one.endsWith(".jsonl"))) {
      const path = join(dir, project, name);
      if (appended(path, offsets).includes('"type":"tool_use"')) said.set("tool_use", Date.now());
    }
  }
}
