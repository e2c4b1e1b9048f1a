import { utimesSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AgentSession, SessionReport } from "@kolu/anyagent/plugin.ts";
import { createFileWatch, type FileWatch } from "@kolu/anyagent/watch.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBatchedReads } from "./batched-reads.ts";
import { openSession } from "./session.ts";
import { answerData, createStore, STARTED_AT_MS, toolData, userData } from "./test-rows.ts";

const T = STARTED_AT_MS + 5_000;
let dir: string;
let path: string;
let files: FileWatch;
let session: AgentSession;
let store: ReturnType<typeof createStore>;
let faults: unknown[];
let wake: () => void;

const said = (nowMs = T + 60_000): SessionReport =>
  session.report({ inBand: [], title: null, screen: null, nowMs });

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "opencode-"));
  path = join(dir, "opencode.db");
  faults = [];
  wake = () => {};
  files = createFileWatch((message) => faults.push(message));
  store = createStore(path, (file) => new DatabaseSync(file));
  store.session("ses_one");
  store.message("ses_one", T, userData(T));
  open();
  await session.refresh();
});
afterEach(async () => {
  session.close();
  files.dispose();
  store.writer.close();
  await rm(dir, { recursive: true });
  expect(faults).toEqual([]);
});

function open(): void {
  const locator = { databasePath: path, sessionId: "ses_one", processStartedAtMs: STARTED_AT_MS };
  session = openSession(locator, createBatchedReads(path), {
    files,
    changed: () => wake(),
    log: (message, cause) => faults.push(message, cause),
  });
}

/** Does something to the database and waits until the session noticed by itself that this holds. */
async function until(holds: () => boolean, deed: () => unknown): Promise<void> {
  await deed();
  while (!holds()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

describe("a session that is followed", () => {
  it("is noticed through the log: an answer, its call, its end", async () => {
    expect(said(T + 100)).toMatchObject({ state: "thinking", prompted: true, startedAtMs: T });
    await until(
      () => said().state === "thinking",
      () => store.message("ses_one", T + 30, answerData(T + 30)),
    );
    await until(
      () => said().state === "tool_use",
      () => store.part("ses_one", T + 30, "prt_1", toolData("bash", "running")),
    );
    await until(
      () => said().state === "waiting",
      () => {
        store.part("ses_one", T + 30, "prt_1", toolData("bash", "completed", { output: "x" }));
        store.message("ses_one", T + 30, answerData(T + 30, { finish: "stop" }, T + 900));
      },
    );
    expect(said()).toMatchObject({
      model: "demo-model",
      contextTokens: 123,
      title: "Rename the demo button",
      version: "1.18.33",
      sessionPath: path,
      source: "transcript",
    });
  });

  it("counts todos, without those that were cancelled", async () => {
    expect(said().todos).toBeNull();
    for (const [at, status] of ["completed", "in_progress", "pending", "cancelled"].entries()) {
      store.todo("ses_one", at, status);
    }
    await until(
      () => said().todos !== null,
      () => {},
    );
    expect(said().todos).toEqual({ completed: 1, total: 3 });
  });

  it("awaits what a sub-agent of a sub-agent asks", async () => {
    const task = (id: string) => toolData("task", "running", { metadata: { sessionId: id } });
    store.message("ses_one", T + 30, answerData(T + 30));
    store.part("ses_one", T + 30, "prt_1", task("ses_child"));
    store.session("ses_child", { parentId: "ses_one" });
    store.message("ses_child", T + 40, answerData(T + 40));
    store.part("ses_child", T + 40, "prt_2", task("ses_grandchild"));
    store.message("ses_grandchild", T + 50, answerData(T + 50));
    await session.refresh();
    expect(said().state).toBe("tool_use");
    store.part("ses_grandchild", T + 50, "prt_3", toolData("question", "running"));
    await session.refresh();
    expect(said()).toMatchObject({ state: "awaiting", awaiting: { kind: "question" } });
  });

  it("skips and counts rows that are torn or gigantic", async () => {
    store.message("ses_one", T + 30, answerData(T + 30));
    store.part("ses_one", T + 30, "prt_1", '{"type":"tool","tool":"ba');
    store.part("ses_one", T + 30, "prt_2", toolData("bash", "completed", { output: "x".repeat(3 << 20) }));
    store.part("ses_one", T + 30, "prt_3", toolData("bash", "running"));
    store.message("ses_one", T + 10, "no json");
    await session.refresh();
    expect(said()).toMatchObject({ state: "tool_use", malformedRecords: 3 });
  });

  it("still knows its tokens after a row of requests that failed", async () => {
    store.message("ses_one", T + 30, answerData(T + 30, { finish: "stop" }, T + 40));
    for (let at = 0; at < 30; at += 1) {
      store.message("ses_one", T + 100 + at, answerData(T + 100 + at, { tokens: null }, T + 101 + at));
    }
    await session.refresh();
    expect(said().contextTokens).toBe(123);
  });
});

describe("a database that cannot be read", () => {
  it("leaves the last reading while it is locked, says so, and is read again by itself", async () => {
    store.writer.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE session SET title = 'Other'");
    // Files that look as before are not read again.
    utimesSync(`${path}-wal`, new Date(), new Date());
    await session.refresh();
    expect(said(T + 100)).toMatchObject({ state: "thinking", prompted: true });
    expect(said().missing.join()).toMatch(/locked; what was read before stands/);
    await until(
      () => said().missing.length === 0,
      () => store.writer.exec("COMMIT; PRAGMA locking_mode = NORMAL; UPDATE session SET title = 'Free'"),
    );
  });

  it("is no guess while it is half-migrated, and is understood again afterwards", async () => {
    store.writer.exec("ALTER TABLE part RENAME COLUMN data TO body");
    await session.refresh();
    expect(said(T + 100)).toMatchObject({ state: "thinking" });
    expect(said().missing.join()).toContain(`${path}: its table "part" has no column "data"`);
    await until(
      () => said().missing.length === 0,
      () => store.writer.exec("ALTER TABLE part RENAME COLUMN body TO data"),
    );
  });

  it("is unknown, with the reason, when it could never be read", async () => {
    session.close();
    store.writer.exec("DROP TABLE message");
    open();
    await session.refresh();
    expect(said()).toMatchObject({ state: "unknown", prompted: false });
    expect(said().unknownReason).toContain('it has no table "message"');
  });

  it("is followed when it was replaced by another", async () => {
    const replaced = createStore(join(dir, "new.db"), (file) => new DatabaseSync(file));
    replaced.session("ses_one", { title: "Restored" });
    replaced.message("ses_one", T, userData(T));
    replaced.writer.close();
    store.writer.close();
    await until(
      () => said().title === "Restored",
      () => rename(join(dir, "new.db"), path),
    );
    store = createStore(join(dir, "other.db"), (file) => new DatabaseSync(file));
  });

  it("keeps what was read of a session that was deleted", async () => {
    await until(
      () => said().missing.length > 0,
      () => store.writer.exec("DELETE FROM session"),
    );
    expect(said(T + 100)).toMatchObject({ state: "thinking", title: "Rename the demo button" });
  });
});
