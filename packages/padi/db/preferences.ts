// The table of preferences: one row a name, so that a name of a newer release passes through untouched.

import type { DatabaseSync } from "node:sqlite";
import { DEFAULT_PREFERENCES, Preferences } from "@kolu/contract/preferences.ts";

export interface PreferencesTable {
  /** What is stored over the defaults; a value that does not fit any more falls back to its default. */
  load(): Preferences;
  put(changes: Partial<Preferences>): void;
}

export function preferencesTable(db: DatabaseSync): PreferencesTable {
  const all = db.prepare("SELECT name, value FROM preferences");
  const upsert = db.prepare(
    "INSERT INTO preferences (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  return {
    load() {
      let preferences = DEFAULT_PREFERENCES;
      for (const row of all.all() as { name: string; value: string }[]) {
        const parsed = Preferences.partial().safeParse({ [row.name]: parseJson(row.value) });
        if (parsed.success) preferences = { ...preferences, ...(parsed.data as Partial<Preferences>) };
      }
      return preferences;
    },
    put(changes) {
      for (const [name, value] of Object.entries(changes)) upsert.run(name, JSON.stringify(value));
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // fits no schema: the default stands
  }
}
