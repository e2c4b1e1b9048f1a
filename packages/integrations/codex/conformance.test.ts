import { copyFileSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runConformance } from "@kolu/anyagent/conformance.ts";
import { newestDatabase } from "./places.ts";
import { codexPlugin } from "./plugin.ts";

runConformance({
  plugin: codexPlugin({}),
  fixturesDir: join(import.meta.dirname, "fixtures"),
  environOf: (home) => ({ HOME: home }),
  prepare: (home, { capturedHome }) => {
    if (capturedHome !== undefined) rewriteDatabase(home, capturedHome);
  },
  namesProcess: false,
});

/** Paths in a captured database: SQLite holds lengths beside its texts, so they are rewritten through it. A write-ahead log that
 * was captured stays one, as on a live system. */
function rewriteDatabase(home: string, capturedHome: string): void {
  const path = newestDatabase(join(home, ".codex"));
  if (path === null) return;
  const parts = [path, `${path}-wal`, `${path}-shm`].filter((part) => existsSync(part));
  const database = new DatabaseSync(path);
  database.prepare("UPDATE threads SET rollout_path = replace(rollout_path, ?, ?)").run(capturedHome, home);
  // Closing the last connection would move the log into the main file.
  if (parts.length > 1) for (const part of parts) copyFileSync(part, `${part}.kept`);
  database.close();
  if (parts.length > 1) for (const part of parts) renameSync(`${part}.kept`, part);
}
