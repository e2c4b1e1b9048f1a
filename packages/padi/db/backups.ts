// The ring of backups in `<state root>/backups`: one at boot, one a day, and one before a person changes much at once; only
// when something changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { refuse } from "@kolu/contract/refusals.ts";
import type { Backup } from "@kolu/contract/workspace.ts";
import type { SavedTerminal } from "../terminals/saved.ts";
import { metaTable } from "./meta.ts";
import { terminalsTable } from "./terminals.ts";

/** Ten days of a workspace that changes daily; the oldest is dropped. */
const BACKUPS_MAX = 10;
const NAME = /^padi\.(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.db$/;

/**
 * Copies the database to `<dir>/padi.<time>.db` unless its content equals that of the last backup. Answers the path, or
 * null when nothing had changed. Throws a fault with its cause when the copy fails; nothing half-written stays.
 */
export function backUp(db: DatabaseSync, dir: string, nowMs: number): string | null {
  const meta = metaTable(db);
  const digest = contentDigest(db);
  // The backup may have been taken away since by somebody who tidies up.
  if (meta.read("backup-digest") === digest && namesIn(dir).length > 0) return null;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, `padi.${new Date(nowMs).toISOString().replaceAll(/[:.]/g, "-")}.db`);
  const half = `${path}.tmp`;
  try {
    rmSync(half, { force: true });
    db.prepare("VACUUM INTO ?").run(half);
    renameSync(half, path);
  } catch (cause) {
    rmSync(half, { force: true });
    throw new Error(`The backup ${path} could not be written.`, { cause });
  }
  meta.put("backup-digest", digest);
  for (const name of namesIn(dir).slice(BACKUPS_MAX)) rmSync(join(dir, name));
  return path;
}

/** Newest first. */
export function listBackups(dir: string): Backup[] {
  return namesIn(dir).map((name) => {
    const bytes = statSync(join(dir, name)).size;
    return { name, atMs: timeOf(name), bytes, terminals: countOf(join(dir, name)) };
  });
}

/** The terminals of a backup. Throws `backup-not-found` or `backup-unreadable`. */
export function readBackup(dir: string, name: string): SavedTerminal[] {
  // Also keeps a caller's path from leading out of the directory.
  if (!NAME.test(name) || !existsSync(join(dir, name)))
    throw refuse("backup-not-found", { name }, `There is no backup ${name}: the ten newest are kept.`);
  try {
    return withBackup(join(dir, name), (db) => terminalsTable(db).load().saved);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse("backup-unreadable", { name, reason }, `The backup ${name} cannot be read: ${reason}`);
  }
}

function countOf(path: string): number | null {
  try {
    return withBackup(path, (db) => terminalsTable(db).load().saved.length);
  } catch {
    return null; // Said as such: a person may try another one.
  }
}

function withBackup<T>(path: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function namesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
}

function timeOf(name: string): number {
  const [, day, hours, minutes, seconds, ms] = NAME.exec(name)!;
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
}

/** What a person would miss: every table but our own notes. */
function contentDigest(db: DatabaseSync): string {
  const hash = createHash("sha256");
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'meta' ORDER BY name")
    .all() as { name: string }[];
  for (const { name } of tables) {
    hash.update(`${name}\n`);
    for (const row of db.prepare(`SELECT * FROM "${name}" ORDER BY 1`).iterate())
      hash.update(`${JSON.stringify(row)}\n`);
  }
  return hash.digest("hex");
}
