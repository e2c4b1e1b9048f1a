// Looking at terminals for watches, and knowing which have not shown themselves since padi's start.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { standingOf } from "../attention/attention.ts";
import type { AttentionWatch } from "../attention/watch.ts";
import type { TerminalStore } from "../terminals/store.ts";
import type { Sighting } from "./sighting.ts";

/** After padi has met kaval, a terminal without a first reading by then has none to give. */
const SEEDING_MS = 15_000;

export interface SightingsOptions {
  store: TerminalStore;
  attention: AttentionWatch;
  /** False for an agent whose files say nothing about turns: it is never reported. */
  reportsTurns(agentKind: string): boolean;
  /** Resolves when the records are in step with kaval for the first time. */
  met: Promise<unknown>;
}

export interface Sightings {
  of(id: string): Sighting;
  /** These were judged: a terminal that showed something of itself has been seen. */
  noteSeen(sightings: ReadonlyMap<string, Sighting>): void;
  /** It is new: there is no reading of before. */
  expectNone(id: string): void;
  dispose(): void;
}

/** `look` is called with the terminals that have had time enough to show themselves. */
export function createSightings(
  { store, attention, reportsTurns, met }: SightingsOptions,
  look: (ids: string[]) => void,
): Sightings {
  const unseen = new Set(store.all().flatMap(({ id, life }) => (life === "active" ? [id as string] : [])));
  let timer: NodeJS.Timeout | undefined;
  let disposed = false;
  void met.then(() => {
    if (disposed) return;
    timer = setTimeout(() => {
      const late = [...unseen];
      unseen.clear();
      look(late);
    }, SEEDING_MS).unref();
  });
  const reports = ({ agent }: TerminalRecord): boolean => agent === null || reportsTurns(agent.kind);
  return {
    of(id) {
      const record = store.get(id);
      return {
        live: record?.life === "active",
        standing: record && reports(record) ? standingOf(record) : null,
        attention: attention.classOf(id),
        seenBefore: !unseen.has(id),
      };
    },
    noteSeen(sightings) {
      for (const [id, { standing, live }] of sightings) if (standing !== null || !live) unseen.delete(id);
    },
    expectNone: (id) => void unseen.delete(id),
    dispose() {
      disposed = true;
      clearTimeout(timer);
    },
  };
}
