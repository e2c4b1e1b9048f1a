// The tables of watch subscriptions: each with its queue and what it remembers of terminals, so that it outlives padi.
import type { DatabaseSync } from "node:sqlite";
import { WatchEvent } from "@kolu/contract/watch.ts";
import { z } from "zod";
import { Question, Scope } from "../watch/question.ts";

/** A subscription apart from its events. */
export const SavedWatch = z.object({
  question: Question,
  scope: Scope,
  acknowledged: z.number(),
  dropped: z.number(),
  told: z.object({ ackAfter: z.number(), dropped: z.number() }).nullable(),
  usedAtMs: z.number(),
  keepMs: z.number(),
});
export type SavedWatch = z.infer<typeof SavedWatch>;

export interface LoadedWatch {
  name: string;
  saved: SavedWatch;
  events: WatchEvent[];
  /** Terminal id to what the source remembers of it; its shape is the source's business. */
  marks: Map<string, unknown>;
}

export interface WatchesTable {
  /** Every subscription that can be read; the others are named with the reason and left where they are. */
  load(): { watches: LoadedWatch[]; unreadable: { name: string; reason: string }[] };
  put(name: string, saved: SavedWatch): void;
  /** With everything that belongs to it. */
  remove(name: string): void;
  putEvent(name: string, event: WatchEvent): void;
  removeEvents(name: string, seqs: Iterable<number>): void;
  putMark(name: string, id: string, mark: unknown): void;
  removeMark(name: string, id: string): void;
  clearMarks(name: string): void;
}

export function watchesTable(db: DatabaseSync): WatchesTable {
  const all = db.prepare("SELECT name, document FROM watches ORDER BY name");
  const eventsOf = db.prepare("SELECT document FROM watch_events WHERE name = ? ORDER BY seq");
  const marksOf = db.prepare("SELECT id, document FROM watch_marks WHERE name = ?");
  const upsert = db.prepare(
    "INSERT INTO watches (name, document) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET document = excluded.document",
  );
  const remove = db.prepare("DELETE FROM watches WHERE name = ?");
  const insertEvent = db.prepare("INSERT INTO watch_events (name, seq, document) VALUES (?, ?, ?)");
  const deleteEvent = db.prepare("DELETE FROM watch_events WHERE name = ? AND seq = ?");
  const upsertMark = db.prepare(
    `INSERT INTO watch_marks (name, id, document) VALUES (?, ?, ?)
     ON CONFLICT (name, id) DO UPDATE SET document = excluded.document`,
  );
  const deleteMark = db.prepare("DELETE FROM watch_marks WHERE name = ? AND id = ?");
  const deleteMarks = db.prepare("DELETE FROM watch_marks WHERE name = ?");

  const read = (name: string, document: string): LoadedWatch => ({
    name,
    saved: SavedWatch.parse(JSON.parse(document)),
    events: (eventsOf.all(name) as { document: string }[]).map((row) =>
      WatchEvent.parse(JSON.parse(row.document)),
    ),
    marks: new Map(
      (marksOf.all(name) as { id: string; document: string }[]).map((row) => [
        row.id,
        JSON.parse(row.document),
      ]),
    ),
  });

  return {
    load() {
      const watches: LoadedWatch[] = [];
      const unreadable: { name: string; reason: string }[] = [];
      for (const { name, document } of all.all() as { name: string; document: string }[]) {
        try {
          watches.push(read(name, document));
        } catch (error) {
          unreadable.push({ name, reason: (error as Error).message });
        }
      }
      return { watches, unreadable };
    },
    put: (name, saved) => void upsert.run(name, JSON.stringify(saved)),
    // Events and marks go with it: foreign keys.
    remove: (name) => void remove.run(name),
    putEvent: (name, event) => void insertEvent.run(name, event.seq, JSON.stringify(event)),
    removeEvents(name, seqs) {
      for (const seq of seqs) deleteEvent.run(name, seq);
    },
    putMark: (name, id, mark) => void upsertMark.run(name, id, JSON.stringify(mark)),
    removeMark: (name, id) => void deleteMark.run(name, id),
    clearMarks: (name) => void deleteMarks.run(name),
  };
}
