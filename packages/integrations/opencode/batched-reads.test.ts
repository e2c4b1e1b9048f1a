import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBatchedReads, stampOf } from "./batched-reads.ts";
import { createStore } from "./test-rows.ts";

let dir: string;
let path: string;
let store: ReturnType<typeof createStore>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "opencode-"));
  path = join(dir, "opencode.db");
  store = createStore(path, (file) => new DatabaseSync(file));
  store.session("ses_one");
});
afterEach(async () => {
  store.writer.close();
  await rm(dir, { recursive: true });
});

describe("questions to one database", () => {
  it("that come together are answered over one connection", async () => {
    const reads = createBatchedReads(path);
    const connections = new Set<unknown>();
    const ask = (id: string) =>
      reads.ask((database) => {
        connections.add(database);
        return database.all("SELECT id FROM session WHERE id = ?", id).length;
      });
    expect(await Promise.all([ask("ses_one"), ask("ses_other")])).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 0 },
    ]);
    expect(connections.size).toBe(1);
    store.session("ses_other");
    expect(await ask("ses_other")).toEqual({ ok: true, value: 1 });
    expect(connections.size).toBe(2);
  });

  it("do not suffer from one that the database refuses", async () => {
    const reads = createBatchedReads(path);
    const answers = await Promise.all([
      reads.ask((database) => database.all("SELECT nothing FROM nowhere")),
      reads.ask((database) => database.all("SELECT id FROM session").length),
    ]);
    expect(answers).toMatchObject([
      { ok: false, fault: "schema" },
      { ok: true, value: 1 },
    ]);
  });

  it("are answered when there is none", async () => {
    const reads = createBatchedReads(join(dir, "none.db"));
    expect(await reads.ask(() => 1)).toMatchObject({ ok: false, fault: "missing" });
  });
});

describe("a stamp", () => {
  const at = (ms: number) => utimes(`${path}-wal`, new Date(ms), new Date(ms));
  const nowMs = Date.now() + 60_000;

  it("is the same until something was written", async () => {
    const before = stampOf(path, nowMs);
    expect(stampOf(path, nowMs)).toBe(before);
    store.session("ses_two");
    expect(stampOf(path, nowMs)).not.toBe(before);
  });

  it("is none while the next write might look the same", async () => {
    await at(nowMs - 5);
    expect(stampOf(path, nowMs)).toBeNull();
    await at(nowMs - 50);
    expect(stampOf(path, nowMs)).not.toBeNull();
  });

  it("is one too for files that are not there, or stamped ahead of time", async () => {
    expect(stampOf(join(dir, "none.db"), nowMs)).toBe("- -");
    await at(nowMs + 5_000);
    expect(stampOf(path, nowMs)).not.toBeNull();
  });
});
