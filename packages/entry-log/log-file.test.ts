import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idInName, listLogs } from "./log-dir.ts";
import { conversationFile, readHeader } from "./log-file.ts";
import { answer, call, entry, header, prompt } from "./test-entries.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "entry-log-"));
});
afterEach(() => rm(dir, { recursive: true }));

describe("a log that grows", () => {
  it("is read on from where it ended; a torn line waits for its end", async () => {
    const path = join(dir, "s.jsonl");
    const log = conversationFile(path);
    expect(await log.read()).toMatchObject({ found: false, state: { turn: "none" } });
    const line = answer("stop");
    await writeFile(path, `${header()}\n${prompt()}\n${line.slice(0, 30)}`);
    expect(await log.read()).toMatchObject({ found: true, state: { turn: "open" }, malformedRecords: 0 });
    await appendFile(path, `${line.slice(30)}\n`);
    expect((await log.read()).state.turn).toBe("over");
  });

  it("is read anew when it was replaced", async () => {
    const path = join(dir, "s.jsonl");
    const log = conversationFile(path);
    await writeFile(path, `${header()}\n${prompt()}\nnonsense\n${call("a")}\n`);
    expect(await log.read()).toMatchObject({ state: { turn: "open" }, malformedRecords: 1 });
    await writeFile(join(dir, "new"), `${header()}\n${prompt()}\n${answer("length")}\n`);
    await rename(join(dir, "new"), path);
    expect(await log.read()).toMatchObject({ state: { turn: "over", openCalls: [] }, malformedRecords: 0 });
  });

  it("finds the name, model and counts of a long one above its end", async () => {
    const path = join(dir, "s.jsonl");
    const named = entry("session_info", { name: "Far up" });
    const filler = `${entry("custom", { data: "x".repeat(100_000) })}\n`.repeat(12);
    await writeFile(path, `${header()}\n${named}\n${prompt()}\n${answer("stop")}\n${filler}${prompt()}\n`);
    const { state } = await conversationFile(path).read();
    expect(state).toMatchObject({ name: "Far up", model: "demo-large", contextTokens: 1_250, turn: "open" });
  });
});

describe("the header", () => {
  it("stands in the first line, or in the second after a title", async () => {
    const path = join(dir, "s.jsonl");
    expect(readHeader(path)).toBeNull();
    await writeFile(path, header().slice(0, 20));
    expect(readHeader(path)).toBeNull();
    await writeFile(path, `{"type":"title","pad":"  "}\n${header("s9")}\n`);
    expect(readHeader(path)).toMatchObject({ sessionId: "s9", cwd: "/work" });
    await writeFile(path, `${prompt()}\n`);
    expect(readHeader(path)).toBeNull();
    expect(readHeader(dir)).toBeNull();
  });
});

describe("a directory of logs", () => {
  it("lists those that have a header, and says why it cannot", async () => {
    await writeFile(join(dir, "2026_a.jsonl"), `${header("a")}\n`);
    await writeFile(join(dir, "2026_b.jsonl"), "half a head");
    await writeFile(join(dir, "2026_a_summary.json"), "{}");
    const { logs, fault, found } = listLogs(dir);
    expect(logs).toMatchObject([{ nameId: "a", header: { sessionId: "a" } }]);
    expect({ fault, found }).toEqual({ fault: null, found: true });
    expect(listLogs(join(dir, "none"))).toEqual({ logs: [], fault: null, found: false });
    expect(listLogs(`${dir}/\0`).fault).toContain("cannot be listed");
  });

  it("reads an id of any form from a name", () => {
    expect(idInName("2026-11-30T08-49-49-908Z_my_own-id.jsonl")).toBe("my_own-id");
  });
});
