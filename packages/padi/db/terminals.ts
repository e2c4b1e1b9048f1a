// The table of terminal records: one JSON document a row.
import type { DatabaseSync } from "node:sqlite";
import { SavedTerminal } from "../terminals/saved.ts";

export interface TerminalsTable {
  /** Every record that can be read; a row that cannot is named with its reason and left where it is. */
  load(): { saved: SavedTerminal[]; unreadable: { id: string; reason: string }[] };
  put(saved: SavedTerminal): void;
  remove(id: string): void;
}

export function terminalsTable(db: DatabaseSync): TerminalsTable {
  const all = db.prepare("SELECT id, document FROM terminals ORDER BY id");
  const upsert = db.prepare(
    "INSERT INTO terminals (id, document) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET document = excluded.document",
  );
  const remove = db.prepare("DELETE FROM terminals WHERE id = ?");
  return {
    load() {
      const saved: SavedTerminal[] = [];
      const unreadable: { id: string; reason: string }[] = [];
      for (const row of all.all() as { id: string; document: string }[]) {
        const parsed = parseDocument(row);
        if (parsed.kind === "read") saved.push(parsed.saved);
        else unreadable.push({ id: row.id, reason: parsed.reason });
      }
      return { saved, unreadable };
    },
    put(saved) {
      upsert.run(saved.id, JSON.stringify(saved));
    },
    remove(id) {
      remove.run(id);
    },
  };
}

type ParsedDocument = { kind: "read"; saved: SavedTerminal } | { kind: "unreadable"; reason: string };

function parseDocument(row: { id: string; document: string }): ParsedDocument {
  let value: unknown;
  try {
    value = JSON.parse(row.document);
  } catch (error) {
    return { kind: "unreadable", reason: `not JSON: ${(error as Error).message}` };
  }
  const parsed = SavedTerminal.safeParse(value);
  if (!parsed.success) return { kind: "unreadable", reason: parsed.error.message };
  if (parsed.data.id !== row.id)
    return { kind: "unreadable", reason: `its document names another id, ${parsed.data.id}` };
  return { kind: "read", saved: parsed.data };
}
