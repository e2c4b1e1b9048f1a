// Facts about the database's own past, by name.
import type { DatabaseSync } from "node:sqlite";

/** `kaval-boot`: the kaval that the records were last reconciled with. `backup-digest`: content of the newest backup.
 * `watch-seq`: number of the newest event of any watch subscription. */
export type MetaName = "kaval-boot" | "backup-digest" | "backup-at-ms" | "watch-seq";

export interface MetaTable {
  read(name: MetaName): string | null;
  put(name: MetaName, value: string): void;
}

export function metaTable(db: DatabaseSync): MetaTable {
  const one = db.prepare("SELECT value FROM meta WHERE name = ?");
  const upsert = db.prepare(
    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  return {
    read(name) {
      const row = one.get(name) as { value: string } | undefined;
      return row?.value ?? null;
    },
    put(name, value) {
      upsert.run(name, value);
    },
  };
}
