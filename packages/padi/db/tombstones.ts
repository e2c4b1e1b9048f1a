// The table of removed ids: what makes a wait on one answer "gone", and what keeps a killed terminal dead when a kaval
// that never heard of the kill comes back.
import type { DatabaseSync } from "node:sqlite";

export interface Tombstone {
  id: string;
  removedAtMs: number;
  /** kaval has not been seen without this terminal yet. */
  kavalMayHold: boolean;
}

export interface TombstonesTable {
  load(): Tombstone[];
  put(tombstone: Tombstone): void;
  remove(id: string): void;
}

export function tombstonesTable(db: DatabaseSync): TombstonesTable {
  const all = db.prepare("SELECT id, removed_at_ms, kaval_may_hold FROM tombstones");
  const upsert = db.prepare(
    `INSERT INTO tombstones (id, removed_at_ms, kaval_may_hold) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET removed_at_ms = excluded.removed_at_ms, kaval_may_hold = excluded.kaval_may_hold`,
  );
  const remove = db.prepare("DELETE FROM tombstones WHERE id = ?");
  return {
    load() {
      const rows = all.all() as { id: string; removed_at_ms: number; kaval_may_hold: number }[];
      return rows.map((row) => ({
        id: row.id,
        removedAtMs: row.removed_at_ms,
        kavalMayHold: row.kaval_may_hold === 1,
      }));
    },
    put({ id, removedAtMs, kavalMayHold }) {
      upsert.run(id, removedAtMs, kavalMayHold ? 1 : 0);
    },
    remove(id) {
      remove.run(id);
    },
  };
}
