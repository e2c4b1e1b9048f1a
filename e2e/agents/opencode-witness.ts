// An eyewitness that is not kolu: asks OpenCode's own database a hundred times a second and notes when its word changed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LOOK_EVERY_MS } from "./own-files.ts";
import type { Witness } from "./witness.ts";

/** The newest message of every root session, with its open calls. */
const NEWEST = `
  SELECT session.id AS id, message.data AS data,
    (SELECT group_concat(json_extract(part.data, '$.tool')) FROM part
      WHERE part.message_id = message.id AND json_extract(part.data, '$.state.status') = 'running') AS calls
  FROM session JOIN message ON message.id =
    (SELECT id FROM message WHERE session_id = session.id ORDER BY time_created DESC, id DESC LIMIT 1)
  WHERE session.parent_id IS NULL`;

/** Words: `thinking`, `tool_use`, `awaiting`, `waiting`, and `between` for a round of calls that has ended. */
export function watchOpencode(home: string): Witness {
  const path = join(home, ".local", "share", "opencode", "opencode.db");
  const said = new Map<string, number>();
  const words = new Map<string, string>();
  let database: DatabaseSync | null = null;
  let version: unknown = null;
  const look = () => {
    try {
      if (database === null && !existsSync(`${path}-wal`)) return;
      database ??= new DatabaseSync(path, { readOnly: true, timeout: 5 });
      const now = database.prepare("PRAGMA data_version").get()?.data_version;
      if (now === version) return;
      for (const row of database.prepare(NEWEST).all()) {
        const word = wordOf(
          JSON.parse(String(row.data)),
          row.calls === null ? [] : String(row.calls).split(","),
        );
        // A word counts once for each message that it is said of.
        const stamp = `${word} ${row.data}`;
        if (words.get(String(row.id)) === stamp) continue;
        words.set(String(row.id), stamp);
        said.set(word, Date.now());
      }
      version = now;
    } catch {
      // Being made, migrated or locked: the next look is 10 ms away.
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    saidAtMs: (what) => said.get(what) ?? null,
    stop: () => {
      clearInterval(timer);
      database?.close();
    },
  };
}

function wordOf(
  message: { role: string; finish?: string; time: { completed?: number } },
  calls: string[],
): string {
  if (message.role === "user") return "thinking";
  if (message.time.completed !== undefined) return message.finish === "tool-calls" ? "between" : "waiting";
  if (calls.length === 0) return "thinking";
  return calls.every((call) => call === "question" || call === "plan_exit") ? "awaiting" : "tool_use";
}
