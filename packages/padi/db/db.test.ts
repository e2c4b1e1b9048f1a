import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DEFAULT_PREFERENCES } from "@kolu/contract/preferences.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toSaved } from "../terminals/saved.ts";
import { testAgent, testId, testRecord } from "../test-records.ts";
import { openPadiDb } from "./db.ts";
import { MIGRATIONS } from "./migrations.ts";
import { NewerSchema } from "./open.ts";

const NOTHING_KNOWN = { agentCommand: null, lastConversation: null };

let root: string;
beforeEach(() => {
  root = mkdtempSync("/tmp/padi-db-");
});
afterEach(() => rmSync(root, { recursive: true }));

/** The database as somebody else would open it. */
function byHand(work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(root, "padi.db"));
  work(db);
  db.close();
}

test("nobody else reads it, wherever it lies", () => {
  const db = openPadiDb(root);
  db.terminals.put(toSaved(testRecord(1), NOTHING_KNOWN));
  const modes = readdirSync(root)
    .filter((name) => name.startsWith("padi.db"))
    .map((name) => [name, statSync(join(root, name)).mode & 0o777]);
  expect(modes).toContainEqual(["padi.db-wal", 0o600]);
  expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  db.close();
});

test("a record comes back as it was saved", () => {
  const saved = toSaved(testRecord(1, { intent: "語 parser", agent: testAgent("waiting"), unread: 3 }), {
    agentCommand: "claude",
    lastConversation: { agent: "test-agent", sessionId: "s-1", sessionPath: "/sessions/s-1" },
  });
  const db = openPadiDb(root);
  db.transaction(() => db.terminals.put(saved));
  db.close();
  const again = openPadiDb(root);
  expect(again.terminals.load()).toEqual({ saved: [saved], unreadable: [] });
  again.close();
});

test("a row that cannot be read loses only itself and stays where it is", () => {
  const db = openPadiDb(root);
  for (const n of [1, 2, 3]) db.terminals.put(toSaved(testRecord(n), NOTHING_KNOWN));
  db.close();
  byHand((raw) => {
    raw.prepare("UPDATE terminals SET document = ? WHERE id = ?").run("{half", testId(1));
    raw.prepare("UPDATE terminals SET document = ? WHERE id = ?").run('{"id":"no uuid"}', testId(2));
  });
  const again = openPadiDb(root);
  const { saved, unreadable } = again.terminals.load();
  expect(saved.map(({ id }) => id)).toEqual([testId(3)]);
  expect(unreadable.map(({ id }) => id)).toEqual([testId(1), testId(2)]);
  again.close();
  byHand((raw) => expect(raw.prepare("SELECT count(*) AS n FROM terminals").get()).toEqual({ n: 3 }));
});

test("a field that does not fit costs only itself", () => {
  const db = openPadiDb(root);
  db.terminals.put(toSaved(testRecord(1, { intent: "kept" }), NOTHING_KNOWN));
  db.close();
  byHand((raw) =>
    raw
      .prepare(
        "UPDATE terminals SET document = json_set(document, '$.agent', json('{\"kind\":7}'), '$.layout', 'x')",
      )
      .run(),
  );
  const again = openPadiDb(root);
  expect(again.terminals.load().saved).toMatchObject([{ intent: "kept", agent: null, layout: null }]);
  again.close();
});

test("a database of a newer kolu is refused and left untouched", () => {
  openPadiDb(root).close();
  byHand((raw) => raw.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}; PRAGMA journal_mode = DELETE`));
  const before = readFileSync(join(root, "padi.db"));
  expect(() => openPadiDb(root)).toThrow(NewerSchema);
  expect(readFileSync(join(root, "padi.db")).equals(before)).toBe(true);
  expect(readdirSync(root)).toEqual(["padi.db"]);
});

test("a transaction is all or nothing", () => {
  const db = openPadiDb(root);
  expect(() =>
    db.transaction(() => {
      db.terminals.put(toSaved(testRecord(1), NOTHING_KNOWN));
      throw new Error("half-way");
    }),
  ).toThrow("half-way");
  expect(db.terminals.load().saved).toEqual([]);
  db.close();
});

test("backups are made when something changed, ten are kept, and each is a database", () => {
  const db = openPadiDb(root);
  const dir = join(root, "backups");
  const day = 86_400_000;
  expect(db.backUp(day)).not.toBeNull();
  expect(db.backUp(2 * day)).toBeNull();
  for (let n = 1; n <= 12; n++) {
    db.terminals.put(toSaved(testRecord(n), NOTHING_KNOWN));
    expect(db.backUp((2 + n) * day)).not.toBeNull();
  }
  const names = readdirSync(dir).sort();
  expect(names).toHaveLength(10);
  const newest = new DatabaseSync(join(dir, names.at(-1)!), { readOnly: true });
  expect(newest.prepare("SELECT count(*) AS n FROM terminals").get()).toEqual({ n: 12 });
  newest.close();
  db.close();
});

test("a preference that does not fit falls back to its default, and others' names pass through", () => {
  const db = openPadiDb(root);
  db.preferences.put({ fontPx: 15, scheme: "dark" });
  db.close();
  byHand((raw) => {
    raw.exec("UPDATE preferences SET value = '900' WHERE name = 'fontPx'");
    raw.exec("INSERT INTO preferences VALUES ('ofLater', '{}')");
  });
  const again = openPadiDb(root);
  expect(again.preferences.load()).toEqual({ ...DEFAULT_PREFERENCES, scheme: "dark" });
  again.close();
});

test("recent repositories are kept newest first and bounded", () => {
  const db = openPadiDb(root);
  for (let n = 1; n <= 25; n++) db.recents.putRepo({ root: `/r/${n}`, name: `${n}`, usedAtMs: n });
  db.recents.putRepo({ root: "/r/10", name: "10", usedAtMs: 99 });
  const repos = db.recents.repos().map((repo) => repo.name);
  expect(repos).toHaveLength(20);
  expect(repos.slice(0, 2)).toEqual(["10", "25"]);
  db.close();
});
