import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Transcript } from "@kolu/contract/transcript.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerData, createStore, STARTED_AT_MS, toolData, userData } from "./test-rows.ts";
import { readTranscriptOf } from "./transcript.ts";

const T = STARTED_AT_MS + 5_000;
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

const read = () => readTranscriptOf(path, "ses_one");

describe("a conversation", () => {
  it("is what was said and done, in its order", async () => {
    store.message("ses_one", T, userData(T));
    store.part("ses_one", T, "prt_1", { type: "text", text: "Rename <b>it</b>" });
    store.part("ses_one", T, "prt_2", { type: "text", text: "The file says …", synthetic: true });
    store.part("ses_one", T, "prt_3", { type: "file", filename: "a.png" });
    store.message("ses_one", T + 30, answerData(T + 30, { finish: "tool-calls" }, T + 90));
    store.part("ses_one", T + 30, "prt_4", { type: "step-start" });
    store.part("ses_one", T + 30, "prt_5", { type: "reasoning", text: "Hm.", time: { start: T + 31 } });
    const command = { input: { command: "ls" }, output: "a\n", time: { start: T + 40 } };
    store.part("ses_one", T + 30, "prt_6", toolData("bash", "completed", command));
    const write = { input: { filePath: "/a", content: "new" }, output: "ok" };
    store.part("ses_one", T + 30, "prt_7", toolData("write", "completed", write));
    const edit = { input: { filePath: "/a", oldString: "new", newString: "newer" }, error: "refused" };
    store.part("ses_one", T + 30, "prt_8", toolData("edit", "error", edit));
    store.message("ses_one", T + 99, answerData(T + 99, {}, T + 120));
    store.part("ses_one", T + 99, "prt_9", { type: "text", text: "Done." });

    const transcript = await read();
    expect(Transcript.parse(transcript)).toEqual(transcript);
    expect(transcript).toMatchObject({
      agent: "opencode",
      sessionId: "ses_one",
      title: "Rename the demo button",
      cwd: "/tmp/demo/project-a",
      model: "demo-model",
      version: "1.18.33",
      startedAtMs: T,
      usage: { input: 200, output: 46, cacheRead: 0, cacheWrite: 0 },
      skippedRecords: 0,
    });
    expect(transcript?.items).toMatchObject([
      { kind: "user", text: "Rename <b>it</b>", atMs: T },
      { kind: "note", text: "Attached: a.png" },
      { kind: "reasoning", text: "Hm.", atMs: T + 31 },
      { kind: "tool", name: "bash", input: "ls", output: "a\n", failed: false, atMs: T + 40, edits: [] },
      { kind: "tool", name: "write", edits: [{ path: "/a", before: null, after: "new" }] },
      { kind: "tool", name: "edit", output: "refused", failed: true, edits: [] },
      { kind: "assistant", text: "Done.", model: "demo-model" },
    ]);
  });

  const endings: Record<string, [error: { name: string; data: object }, text: string]> = {
    "an interruption": [{ name: "MessageAbortedError", data: {} }, "Interrupted"],
    "an error": [
      { name: "APIError", data: { message: "no credit" } },
      "The turn ended with an error: no credit",
    ],
  };
  for (const [title, [error, text]] of Object.entries(endings)) {
    it(`notes ${title}`, async () => {
      store.message("ses_one", T, answerData(T, { error }, T + 5));
      expect((await read())?.items).toEqual([{ kind: "note", atMs: T + 5, text }]);
    });
  }

  it("goes on past rows that cannot be read, and counts them", async () => {
    store.message("ses_one", T, "torn {");
    store.part("ses_one", T, "prt_0", { type: "text", text: "of the torn one" });
    store.message("ses_one", T + 1, userData(T + 1));
    store.part("ses_one", T + 1, "prt_1", '{"type":"te');
    store.part("ses_one", T + 1, "prt_2", { type: "text", text: "hello" });
    expect(await read()).toMatchObject({ items: [{ kind: "user", text: "hello" }], skippedRecords: 2 });
  });

  it("has an open call without a result, and no counts before any were made", async () => {
    store.message("ses_one", T, answerData(T, { tokens: { total: 0 } }));
    store.part("ses_one", T, "prt_1", toolData("bash", "running", { input: { command: "sleep 9" } }));
    const transcript = await read();
    expect(transcript?.items).toMatchObject([{ output: null, failed: false }]);
    expect(transcript?.usage.input).toBeNull();
  });
});

it("is none when it is not there, and an error when it cannot be read", async () => {
  expect(await readTranscriptOf(path, "ses_other")).toBeNull();
  expect(await readTranscriptOf(join(dir, "none.db"), "ses_one")).toBeNull();
  store.writer.exec("ALTER TABLE message RENAME COLUMN data TO body");
  await expect(read()).rejects.toThrow(/no column "data"/);
});
