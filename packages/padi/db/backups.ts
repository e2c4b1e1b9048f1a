// The ring of backups in `<state root>/backups`: one at boot and one a day, only when something changed.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { metaTable } from "./meta.ts";

/** Ten days of a workspace that changes daily; the oldest is dropped. */
const BACKUPS_MAX = 10;
const NAME = /^padi\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/;

/**
 * Copies the database to `<dir>/padi.<time>.db` unless its content equals that of the last backup. Answers the path, or
 * null when nothing had changed. Throws a fault with its cause when the copy fails; nothing half-written stays.
 */
export function backUp(db: DatabaseSync, dir: string, nowMs: number): string | null {
  const meta = metaTable(db);
  const digest = contentDigest(db);
  if (meta.read("backup-digest") === digest) return null;
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
  const kept = readdirSync(dir)
    .filter((name) => NAME.test(name))
    .sort();
  for (const name of kept.slice(0, -BACKUPS_MAX)) rmSync(join(dir, name));
  return path;
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
