// The one database of the workspace, `<state root>/padi.db`: opening, migrating, transactions. SQL of a table lives in
// the file of that table; nothing outside this folder knows SQLite.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "./migrations.ts";

/** How long a statement waits for another process (a backup tool, a curious person) to let go of the file. */
const BUSY_TIMEOUT_MS = 2_000;
/** Offset of `user_version` in the header of an SQLite file (file format, section 1.3). */
const USER_VERSION_OFFSET = 60;

/** A newer release wrote this database: nothing was touched, and only that release may open it. */
export class NewerSchema extends Error {
  readonly found: number;
  readonly ours: number;
  constructor(path: string, found: number, ours: number) {
    super(
      `${path} was written by a newer kolu (schema ${found}, this one knows ${ours}). It is left untouched: start the newer kolu, or name another state root.`,
    );
    this.name = "NewerSchema";
    this.found = found;
    this.ours = ours;
  }
}

/**
 * Opens and migrates the database, making it when it is not there. Throws `NewerSchema`, or a fault with its cause.
 *
 * Write-ahead log with `synchronous = NORMAL`: a committed change survives the death of this process, whatever kills it;
 * a power cut may cost the newest changes, never the file.
 */
export function openDatabase(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Judged before SQLite opens the file, because opening alone may already write beside it.
  const written = existsSync(path) ? readSchemaVersion(path) : 0;
  if (written > MIGRATIONS.length) throw new NewerSchema(path, written, MIGRATIONS.length);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  // Commands and titles are nobody else's business, also where somebody moves the file out of its private directory. The
  // write-ahead log takes its mode from it.
  chmodSync(path, 0o600);
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    migrate(db, path);
    return db;
  } catch (cause) {
    db.close();
    if (cause instanceof NewerSchema) throw cause;
    throw new Error(`The workspace database ${path} could not be opened.`, { cause });
  }
}

function migrate(db: DatabaseSync, path: string): void {
  // Asked again through SQLite: the newest header may still be in the write-ahead log.
  const { user_version: found } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (found > MIGRATIONS.length) throw new NewerSchema(path, found, MIGRATIONS.length);
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < found) continue;
    transaction(db, () => db.exec(`${sql}; PRAGMA user_version = ${index + 1}`));
  }
}

/** Runs `work` in one transaction: all of it or, when it throws, nothing. */
export function transaction(db: DatabaseSync, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    work();
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

function readSchemaVersion(path: string): number {
  const header = Buffer.alloc(100);
  const descriptor = openSync(path, "r");
  try {
    return readSync(descriptor, header, 0, 100, 0) === 100 ? header.readUInt32BE(USER_VERSION_OFFSET) : 0;
  } finally {
    closeSync(descriptor);
  }
}
