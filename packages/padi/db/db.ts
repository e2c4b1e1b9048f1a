// Everything that outlives padi, as typed tables.
import { join } from "node:path";
import type { Backup } from "@kolu/contract/workspace.ts";
import type { SavedTerminal } from "../terminals/saved.ts";
import { backUp, listBackups, readBackup } from "./backups.ts";
import { type MetaTable, metaTable } from "./meta.ts";
import { openDatabase, transaction } from "./open.ts";
import { type PreferencesTable, preferencesTable } from "./preferences.ts";
import { type RecentsTables, recentsTables } from "./recents.ts";
import { type TerminalsTable, terminalsTable } from "./terminals.ts";
import { type TombstonesTable, tombstonesTable } from "./tombstones.ts";
import { type WatchesTable, watchesTable } from "./watches.ts";

export interface PadiDb {
  terminals: TerminalsTable;
  tombstones: TombstonesTable;
  preferences: PreferencesTable;
  recents: RecentsTables;
  meta: MetaTable;
  watches: WatchesTable;
  /** All of `work` or, when it throws, nothing. Committed when this returns. */
  transaction(work: () => void): void;
  /** See backups.ts. */
  backUp(nowMs: number): string | null;
  listBackups(): Backup[];
  readBackup(name: string): SavedTerminal[];
  close(): void;
}

/** Opens `<state root>/padi.db`. Throws `NewerSchema` or a fault. */
export function openPadiDb(stateRoot: string): PadiDb {
  const db = openDatabase(join(stateRoot, "padi.db"));
  const backups = join(stateRoot, "backups");
  return {
    terminals: terminalsTable(db),
    tombstones: tombstonesTable(db),
    preferences: preferencesTable(db),
    recents: recentsTables(db),
    meta: metaTable(db),
    watches: watchesTable(db),
    transaction: (work) => transaction(db, work),
    backUp: (nowMs) => backUp(db, backups, nowMs),
    listBackups: () => listBackups(backups),
    readBackup: (name) => readBackup(backups, name),
    close: () => db.close(),
  };
}
