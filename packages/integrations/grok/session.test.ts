import { appendFile, mkdir, mkdtemp, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentSession, SessionReport } from "@kolu/anyagent/plugin.ts";
import { TAIL_WINDOW_BYTES } from "@kolu/anyagent/tail.ts";
import { createFileWatch, type FileWatch } from "@kolu/anyagent/watch.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSession } from "./session.ts";
import { allowed, atModel, event, phase, STARTED_AT_MS, turnEnded, turnStarted } from "./test-events.ts";

const ID = "01a22bae-cc6a-7ae1-9ceb-0ea3962dd7be";
let home: string;
let dir: string;
let files: FileWatch;
let session: AgentSession;
let faults: unknown[];
let wake: () => void;

const said = (): SessionReport =>
  session.report({ inBand: [], title: null, screen: null, nowMs: STARTED_AT_MS + 60_000 });
const put = async (name: string, content: string | object) => {
  const path = join(dir, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp`, typeof content === "string" ? content : JSON.stringify(content));
  await rename(`${path}.tmp`, path);
};
const events = (...lines: string[]) => `${lines.join("\n")}\n`;
const append = (...lines: string[]) => appendFile(join(dir, "events.jsonl"), events(...lines));
const putList = (sessionId: string) =>
  put("../../../active_sessions.json", [
    { session_id: sessionId, pid: 22, cwd: "/p", opened_at: new Date(STARTED_AT_MS + 1_000).toISOString() },
  ]);

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "grok-session-"));
  dir = join(home, "sessions", "%2Fp", ID);
  await mkdir(dir, { recursive: true });
  await put("events.jsonl", "");
  await put("summary.json", { info: { id: ID, cwd: "/p" }, current_model_id: "demo", session_summary: "" });
  await putList(ID);
  faults = [];
  wake = () => {};
  files = createFileWatch((message) => faults.push(message));
  const process = {
    pid: 22,
    parentPid: 1,
    groupPid: 22,
    name: "grok",
    startTime: "1",
    startedAtMs: STARTED_AT_MS,
  };
  session = openSession(
    { key: ID, evidence: "exact", updatedAtMs: null, process, locator: dir },
    {
      files,
      changed: () => wake(),
      log: (message, cause) => faults.push(message, cause),
    },
  );
  await session.refresh();
});
afterEach(async () => {
  session.close();
  files.dispose();
  await rm(home, { recursive: true });
  expect(faults).toEqual([]);
});

/** Does something to the files and waits until the session noticed by itself that this holds. */
async function until(holds: () => boolean, deed: () => Promise<unknown>): Promise<void> {
  await deed();
  while (!holds()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

describe("a session that is followed", () => {
  it("goes from the welcome screen through a turn to its end", async () => {
    expect(said()).toMatchObject({ state: "waiting", prompted: false, title: null, model: "demo" });
    await until(
      () => said().state === "thinking",
      () => append(...atModel()),
    );
    await until(
      () => said().state === "tool_use",
      () => append(...allowed("grep")),
    );
    await until(
      () => said().state === "waiting",
      () => append(turnEnded()),
    );
  });

  it("takes title, model, tokens and todos from the small files as they are replaced", async () => {
    await until(
      () => said().contextTokens === 1_234,
      async () => {
        await put("summary.json", { current_model_id: "grok-demo", generated_title: "A title" });
        const todo = (status: string) => ({ content: "x", status });
        const todos = { 1: todo("completed"), 2: todo("pending"), 3: todo("cancelled") };
        await put("resources_state.json", { state: { "grok_build.Todo": { todos } } });
        await put("signals.json", { contextTokensUsed: 1_234.4 });
      },
    );
    expect(said()).toMatchObject({ title: "A title", model: "grok-demo", todos: { completed: 1, total: 2 } });
  });

  it("carries the last tokens that were measured", async () => {
    await put("signals.json", { contextTokensUsed: 900 });
    await session.refresh();
    await put("signals.json", { contextTokensUsed: 0 });
    await put("summary.json", { generated_title: "later" });
    await session.refresh();
    expect(said()).toMatchObject({ contextTokens: 900, title: "later" });
  });

  it("keeps what it knows when a small file is torn, and counts it", async () => {
    await put("summary.json", { generated_title: "whole" });
    await session.refresh();
    await put("summary.json", '{"generated_title":"to');
    await session.refresh();
    expect(said()).toMatchObject({ title: "whole", malformedRecords: 1 });
  });

  it("holds a torn event until it is whole, and counts a malformed one", async () => {
    const line = turnStarted();
    await appendFile(join(dir, "events.jsonl"), `not an event\n${line.slice(0, 20)}`);
    await session.refresh();
    expect(said()).toMatchObject({ prompted: false, malformedRecords: 1 });
    await appendFile(join(dir, "events.jsonl"), `${line.slice(20)}\n`);
    await session.refresh();
    expect(said()).toMatchObject({ state: "thinking", malformedRecords: 1 });
  });

  it("takes no harm from a gigantic line", async () => {
    await append(...atModel(), `{"type":"${"x".repeat(3 * 1024 * 1024)}`, ...allowed("grep"));
    await session.refresh();
    expect(said()).toMatchObject({ state: "tool_use", malformedRecords: 1 });
  });

  it("begins anew when its events are truncated or replaced", async () => {
    await append(...atModel(), ...allowed("grep"));
    await session.refresh();
    await truncate(join(dir, "events.jsonl"), 0);
    await append(...atModel(), turnEnded());
    await session.refresh();
    expect(said().state).toBe("waiting");
    await put("events.jsonl", events(...atModel()));
    await session.refresh();
    expect(said().state).toBe("thinking");
  });

  it("knows its sub-agents while they run", async () => {
    const meta = { subagent_id: "c", description: "Look around", status: "running" };
    const startedAt = new Date(STARTED_AT_MS + 2_000).toISOString();
    await append(...atModel(), turnEnded());
    // The directory is there before its file is.
    await mkdir(join(dir, "subagents", "c"), { recursive: true });
    await session.refresh();
    await until(
      () => said().state === "background",
      () => put("subagents/c/meta.json", { ...meta, started_at: startedAt }),
    );
    expect(said().background.agents).toEqual([{ name: "Look around" }]);
    const completedAt = new Date(STARTED_AT_MS + 8_000).toISOString();
    await until(
      () => said().state === "waiting",
      () => put("subagents/c/meta.json", { ...meta, status: "completed", completed_at: completedAt }),
    );
  });
});

describe("a turn that began long before the part of the file that is read", () => {
  const chunk = phase("streaming_text");
  const chunks = Array.from({ length: Math.ceil((TAIL_WINDOW_BYTES * 1.5) / chunk.length) }, () => chunk);
  const reopened = async (lines: string[]) => {
    await put("events.jsonl", events(...lines));
    await session.refresh();
    return said();
  };

  it("is known with what is still open", async () => {
    const asked = await reopened([...atModel(), ...allowed("ask_user_question"), ...chunks]);
    expect(asked).toMatchObject({ state: "awaiting", awaiting: { kind: "question" }, prompted: true });
    expect((await reopened([...atModel(), ...allowed("grep"), ...chunks])).state).toBe("tool_use");
    expect((await reopened([...atModel(), ...chunks])).state).toBe("thinking");
  });

  it("is over when its end is all that the part holds", async () => {
    expect((await reopened([...atModel(), ...chunks, turnEnded("error")])).state).toBe("waiting");
  });

  it("is not mistaken for an open call by one that ended in that part", async () => {
    const ended = [...chunks, event("tool_completed", { tool_name: "grep" }), chunk];
    expect((await reopened([...atModel(), ...allowed("grep"), ...ended])).state).toBe("thinking");
  });
});
