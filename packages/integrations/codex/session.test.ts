import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AgentSession, SessionReport } from "@kolu/anyagent/plugin.ts";
import { createFileWatch, type FileWatch } from "@kolu/anyagent/watch.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followThread } from "./session.ts";
import { createStore } from "./store.ts";
import { type TestThread, THREADS_TABLE, threadValues } from "./test-database.ts";
import {
  BEGAN_AT_MS,
  call,
  complete,
  context,
  output,
  said,
  started,
  THREAD,
  tokens,
} from "./test-rollout.ts";

let dir: string;
let database: DatabaseSync;
let files: FileWatch;
let session: AgentSession;
let faults: unknown[];
let wake: () => void;

const rolloutPath = () => join(dir, "sessions", "rollout.jsonl");
const report = (): SessionReport =>
  session.report({ inBand: [], title: null, screen: null, nowMs: BEGAN_AT_MS + 600_000 });

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "codex-session-"));
  mkdirSync(join(dir, "sessions"));
  faults = [];
  wake = () => {};
  const databasePath = join(dir, "state_5.sqlite");
  // The server holds it open with a write-ahead log all the time.
  database = new DatabaseSync(databasePath);
  database.exec(`PRAGMA journal_mode = WAL; ${THREADS_TABLE}`);
  files = createFileWatch((message, cause) => faults.push(message, cause));
  const locator = { threadId: THREAD, databasePath, processStartedAtMs: BEGAN_AT_MS - 60_000 };
  session = followThread(locator, createStore(), {
    files,
    changed: () => wake(),
    log: (message, cause) => faults.push(message, cause),
  });
  await session.refresh();
});
afterEach(() => {
  session.close();
  files.dispose();
  database.close();
  rmSync(dir, { recursive: true });
  expect(faults).toEqual([]);
});

function insert(more: Partial<TestThread> = {}): void {
  const row = threadValues({
    id: THREAD,
    createdAtMs: BEGAN_AT_MS - 30_000,
    rolloutPath: rolloutPath(),
    ...more,
  });
  const marks = row.columns.map(() => "?").join(", ");
  database.prepare(`INSERT INTO threads (${row.columns.join(", ")}) VALUES (${marks})`).run(...row.values);
}

/** Does something to the files and waits until the session noticed by itself that this holds. */
async function until(holds: () => boolean, deed: () => unknown): Promise<void> {
  deed();
  while (!holds()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
const append = (...lines: string[]) =>
  appendFileSync(rolloutPath(), lines.map((line) => `${line}\n`).join(""));

describe("a thread that is followed", () => {
  it("waits without a row or a file, and is noticed at its first prompt", async () => {
    expect(report()).toMatchObject({ state: "waiting", prompted: false, sessionId: null });
    await until(
      () => report().state === "thinking" && report().title !== null,
      () => {
        append(started(), context("demo-model"));
        insert({ title: "rename it" });
      },
    );
    expect(report()).toMatchObject({
      prompted: true,
      sessionId: THREAD,
      sessionPath: rolloutPath(),
      model: "demo-model",
    });
    await until(
      () => report().state === "waiting",
      () => append(tokens(13_347), complete()),
    );
    expect(report().contextTokens).toBe(13_347);
  });

  it("gets its title when the row alone changes", async () => {
    append(started(), complete());
    insert();
    await session.refresh();
    await until(
      () => report().title === "A better name",
      () => database.prepare("UPDATE threads SET name = ?, updated_at = updated_at + 1").run("A better name"),
    );
  });

  it("waits for the end of a torn line, and counts what is malformed", async () => {
    insert();
    append(started(), "not json");
    const whole = call("a", "exec_command", { cmd: "ls" });
    appendFileSync(rolloutPath(), whole.slice(0, 40));
    await session.refresh();
    expect(report()).toMatchObject({ state: "thinking", malformedRecords: 1 });
    appendFileSync(rolloutPath(), `${whole.slice(40)}\n`);
    await session.refresh();
    expect(report()).toMatchObject({ state: "tool_use", malformedRecords: 1 });
  });

  it("is read anew when its file was replaced", async () => {
    insert();
    append(started(), call("a", "exec_command"));
    await session.refresh();
    expect(report().state).toBe("tool_use");
    writeFileSync(join(dir, "next"), `${started()}\n${complete()}\n`);
    await until(
      () => report().state === "waiting",
      () => renameSync(join(dir, "next"), rolloutPath()),
    );
  });

  it("knows the turn, the calls and the model of a file whose end alone is read", async () => {
    insert();
    const long = said("assistant", "x".repeat(200_000));
    append(started(), context("demo-model"), tokens(7), call("a", "exec_command"), call("b", "view_image"));
    append(long, long, long, long, output("a", "done"));
    await session.refresh();
    expect(report()).toMatchObject({ state: "tool_use", model: "demo-model", contextTokens: 7 });
    append(output("b", "done"));
    await session.refresh();
    expect(report().state).toBe("thinking");
  });

  it("says that its file is gone", async () => {
    insert();
    append(started());
    await session.refresh();
    rmSync(rolloutPath());
    await session.refresh();
    expect(report()).toMatchObject({ state: "unknown", sessionPath: null });
    expect(report().missing[0]).toContain(rolloutPath());
  });
});
