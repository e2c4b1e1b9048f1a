// Sub-agents of a session, from `subagents/<id>/meta.json`: a directory is made at the start of each, its file a moment later,
// and replaced at the end.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type KeptFile, keptFile } from "./kept-file.ts";
import { parseSubagent, type Subagent } from "./records.ts";

export interface SubagentFacts {
  /** Those that run, as far as their files tell: a killed parent leaves them so. */
  running: readonly Subagent[];
  /** When the latest of them ended. */
  endedAtMs: number | null;
  /** Files that may still change. */
  unfinished: readonly string[];
}

export const NO_SUBAGENTS: SubagentFacts = { running: [], endedAtMs: null, unfinished: [] };

export class SubagentFiles {
  readonly #dir: string;
  readonly #files = new Map<string, KeptFile<Subagent | null>>();
  #listedAtMs: number | null = null;
  #facts = NO_SUBAGENTS;

  /** @param dir `subagents` of the parent's session */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The same object while nothing changed. */
  read(): SubagentFacts {
    this.#list();
    const read = [...this.#files].map(([path, file]) => ({ path, subagent: file.read() }));
    const known = read.flatMap(({ subagent }) => subagent ?? []);
    const ends = known.flatMap((one) => one.endedAtMs ?? []);
    const facts: SubagentFacts = {
      running: known.filter((one) => one.running),
      endedAtMs: ends.length === 0 ? null : Math.max(...ends),
      unfinished: read.filter(({ subagent }) => subagent?.running !== false).map(({ path }) => path),
    };
    if (!same(facts, this.#facts)) this.#facts = facts;
    return this.#facts;
  }

  #list(): void {
    const mtimeMs = statSync(this.#dir, { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (mtimeMs === null || mtimeMs === this.#listedAtMs) return;
    this.#listedAtMs = mtimeMs;
    for (const id of readdirSync(this.#dir)) {
      const path = join(this.#dir, id, "meta.json");
      if (!this.#files.has(path)) this.#files.set(path, keptFile<Subagent | null>(path, null, parseSubagent));
    }
  }
}

function same(left: SubagentFacts, right: SubagentFacts): boolean {
  const sameItems = <T>(one: readonly T[], other: readonly T[]) =>
    one.length === other.length && one.every((item, at) => item === other[at]);
  return (
    left.endedAtMs === right.endedAtMs &&
    sameItems(left.running, right.running) &&
    sameItems(left.unfinished, right.unfinished)
  );
}
