import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentSession, SessionReport } from "@kolu/anyagent/plugin.ts";
import { createFileWatch, type FileWatch } from "@kolu/anyagent/watch.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placesOf, projectDirName } from "./find.ts";
import { followProcess } from "./session.ts";
import { answer, call, prompt, result, STARTED_AT_MS, turnEnd, workflowLaunch } from "./test-entries.ts";

const CWD = "/tmp/demo/project-a";
let home: string;
let files: FileWatch;
let session: AgentSession;
let faults: unknown[];
let wake: () => void;

const statusPath = () => join(home, ".claude", "sessions", "69.json");
const transcript = (id: string) => join(home, ".claude", "projects", projectDirName(CWD), `${id}.jsonl`);
const said = (): SessionReport =>
  session.report({ inBand: [], title: null, screen: null, nowMs: STARTED_AT_MS + 9_000 });

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
const status = (word: string | null, sessionId = "one", more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    pid: 69,
    sessionId,
    cwd: CWD,
    startedAt: STARTED_AT_MS,
    version: "2.1.332",
    status: word ?? undefined,
    ...more,
  });
const lines = (...entries: Record<string, unknown>[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "claude-"));
  faults = [];
  wake = () => {};
  files = createFileWatch((message) => faults.push(message));
  await put(statusPath(), status("idle"));
  const places = placesOf({ HOME: home }, {});
  const changed = () => wake();
  session = followProcess(statusPath(), places, {
    files,
    changed,
    log: (message, cause) => faults.push(message, cause),
  });
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
  it("is noticed at its first prompt, whose file and directories did not exist", async () => {
    expect(said()).toMatchObject({ state: "waiting", prompted: false, sessionPath: null });
    await until(
      () => said().prompted,
      async () => {
        await put(statusPath(), status("busy"));
        await put(transcript("one"), lines(prompt()));
      },
    );
    expect(said()).toMatchObject({
      state: "thinking",
      sessionPath: transcript("one"),
      startedAtMs: STARTED_AT_MS + 1_000,
    });
    await until(
      () => said().state === "tool_use",
      () => appendFile(transcript("one"), lines(call("t1"))),
    );
  });

  it("keeps the last good status while the file is half-written", async () => {
    await until(
      () => said().state === "awaiting",
      async () => {
        await writeFile(statusPath(), status("waiting").slice(0, 30));
        await session.refresh();
        expect(said()).toMatchObject({ state: "waiting", sessionId: "one" });
        await writeFile(statusPath(), status("waiting", "one", { waitingFor: "input needed" }));
      },
    );
  });

  it("keeps its last word when the file is removed a moment before the end", async () => {
    await rm(statusPath());
    await session.refresh();
    expect(said()).toMatchObject({ state: "waiting", sessionId: "one" });
  });

  it("moves to another conversation with /clear, and from the throw-away id of a resumed one", async () => {
    await put(transcript("one"), lines(prompt(), answer()));
    await session.refresh();
    expect(said()).toMatchObject({ model: "claude-opus-5-5", prompted: true });
    await until(
      () => said().sessionId === "two",
      () => writeFile(statusPath(), status("idle", "two")),
    );
    expect(said()).toMatchObject({ model: null, prompted: false, state: "waiting" });
    await put(transcript("two"), lines(prompt()));
    await session.refresh();
    expect(said()).toMatchObject({ prompted: true, sessionPath: transcript("two") });
  });

  it("finds a conversation that was begun in another directory", async () => {
    const elsewhere = join(home, ".claude", "projects", "-some-where", "one.jsonl");
    await put(elsewhere, lines(prompt(), answer()));
    await session.refresh();
    expect(said()).toMatchObject({ sessionPath: elsewhere, contextTokens: 123 });
  });

  it("counts malformed lines and goes on", async () => {
    await put(transcript("one"), `${lines(prompt())}not json\n{"half":\n${lines(answer())}`);
    await session.refresh();
    expect(said()).toMatchObject({ malformedRecords: 2, contextTokens: 123 });
  });

  it("reads a transcript of 64 kB lines cut anywhere", async () => {
    const big = { type: "api-request-shape", shape: "語".repeat(30_000) };
    const bytes = Buffer.from(lines(prompt(), big, call("t1"), big, result("t1")));
    await put(transcript("one"), "");
    for (const [from, to] of [
      [0, 50],
      [50, 40_001],
      [40_001, 65_536],
      [65_536, 131_073],
      [131_073, bytes.length],
    ] as const) {
      await appendFile(transcript("one"), bytes.subarray(from, to));
      await session.refresh();
    }
    expect(said()).toMatchObject({ malformedRecords: 0, contextTokens: 123, prompted: true });
  });

  it("reads a rewritten transcript anew", async () => {
    await put(transcript("one"), lines(prompt(), { type: "ai-title", aiTitle: "Old" }, answer()));
    await session.refresh();
    expect(said().title).toBe("Old");
    await truncate(transcript("one"), 0);
    await appendFile(transcript("one"), lines(prompt()));
    await session.refresh();
    expect(said()).toMatchObject({ title: null, model: null });
  });

  it("opens a long transcript at its end and still knows its title, model and tokens", async () => {
    const filler = lines({ type: "mode", mode: "x".repeat(1_000) }).repeat(3_000);
    await put(
      transcript("one"),
      lines(prompt(), { type: "ai-title", aiTitle: "Long ago" }, answer()) + filler + lines(prompt()),
    );
    await session.refresh();
    expect(said()).toMatchObject({
      title: "Long ago",
      model: "claude-opus-5-5",
      contextTokens: 123,
      prompted: true,
      startedAtMs: STARTED_AT_MS + 1_000,
    });
  });

  it("prefers the name that a person gave", async () => {
    await put(transcript("one"), lines(prompt(), { type: "ai-title", aiTitle: "Guessed" }));
    await put(
      join(transcript("one").replace(".jsonl", ""), "custom-title.json"),
      '{"customTitle":"Mine","by":"carried"}',
    );
    await session.refresh();
    expect(said().title).toBe("Mine");
  });

  it("counts tasks and a workflow's live sub-agents", async () => {
    const tasks = join(home, ".claude", "tasks", "one");
    await put(join(tasks, "1.json"), '{"status":"completed"}');
    await put(join(tasks, "2.json"), '{"status":"pending"}');
    await put(join(tasks, ".lock"), "");
    await put(statusPath(), status("busy"));
    const launched = result("t1", { toolUseResult: workflowLaunch });
    await put(transcript("one"), lines(prompt(), launched, answer(), turnEnd({ pendingWorkflowCount: 1 })));
    await session.refresh();
    expect(said()).toMatchObject({ state: "background", todos: { completed: 1, total: 2 } });
    const journal = join(
      transcript("one").replace(".jsonl", ""),
      "subagents",
      "workflows",
      "wf_1-2",
      "journal.jsonl",
    );
    await until(
      () => said().background.workflows[0]?.agents === 2,
      () =>
        put(
          journal,
          '{"type":"launched"}\n{"type":"started","agentId":"a"}\n{"type":"started","agentId":"b"}\n',
        ),
    );
  });
});
