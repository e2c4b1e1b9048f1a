import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transcript } from "@kolu/contract/transcript.ts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, call, entry, header, message, prompt, result } from "./test-entries.ts";
import { readTranscriptOf, type TranscriptOptions, transcriptOf } from "./transcript.ts";

const options: TranscriptOptions = { agent: "pi", usage: "sum", title: null };
const itemsOf = (...lines: string[]) => transcriptOf(lines, options).items;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "transcript-"));
});
afterEach(() => rm(dir, { recursive: true }));

describe("a conversation", () => {
  it("is what was said and done, in its order, with results at their calls", () => {
    const lines = [header("s1", "/work"), prompt("run it"), call("a"), result("a"), answer("stop")];
    const transcript = transcriptOf(lines, options);
    expect(Transcript.parse(transcript)).toEqual(transcript);
    expect(transcript).toMatchObject({
      agent: "pi",
      sessionId: "s1",
      cwd: "/work",
      model: "demo-large",
      startedAtMs: Date.parse("2026-11-30T08:49:00Z"),
      usage: { input: 480, output: 84, cacheRead: 2_000, cacheWrite: 20 },
      skippedRecords: 0,
    });
    expect(transcript.items).toMatchObject([
      { kind: "user", text: "run it" },
      { kind: "tool", callId: "a", name: "bash", input: "sleep 5", output: "done\n", failed: false },
      { kind: "assistant", text: "Well.", model: "demo-large" },
    ]);
  });

  it("tells thoughts, images, edits, the user's commands and how a turn ended", () => {
    const edit = { path: "a.ts", edits: [{ oldText: "1", newText: "2" }] };
    const blocks = [
      { type: "thinking", thinking: "Hm." },
      { type: "toolCall", id: "e", name: "edit", arguments: edit },
      { type: "toolCall", id: "w", name: "write", arguments: { path: "b.ts", content: "3" } },
    ];
    const said = itemsOf(
      message({ role: "user", content: [{ type: "image", data: "…" }] }),
      answer("toolUse", { content: blocks }),
      message({ role: "bashExecution", command: "false", output: "", exitCode: 1 }),
      answer("error", { content: [], errorMessage: "400: no" }),
      answer("aborted", { content: [] }),
    );
    expect(said).toMatchObject([
      { kind: "user", text: "[image]" },
      { kind: "reasoning", text: "Hm." },
      { kind: "tool", name: "edit", edits: [{ path: "a.ts", before: "1", after: "2" }], output: null },
      { kind: "tool", name: "write", edits: [{ path: "b.ts", before: null, after: "3" }] },
      { kind: "tool", name: "bash", input: "false", failed: true },
      { kind: "note", text: "400: no" },
      { kind: "note", text: "Interrupted." },
    ]);
  });

  it("notes another model, a compaction and a branch that was left", () => {
    const change = (modelId: string) => entry("model_change", { provider: "demo", modelId });
    expect(itemsOf(change("a"), change("a"), change("b"))).toMatchObject([{ text: "Model: b" }]);
    expect(itemsOf(entry("compaction", { summary: "So far." }))).toMatchObject([
      { text: "The conversation was compacted.\n\nSo far." },
    ]);
    expect(itemsOf(entry("branch_summary"))).toMatchObject([{ text: "Another branch was left." }]);
  });

  it("is the active branch alone", () => {
    const at = (id: string, parentId: string | null) => ({ id, parentId });
    const lines = [
      prompt("one", at("1", null)),
      answer("stop", {}, at("2", "1")),
      prompt("left", at("3", "2")),
      prompt("taken", at("4", "2")),
    ];
    expect(itemsOf(...lines).map((item) => ("text" in item ? item.text : ""))).toEqual([
      "one",
      "Well.",
      "taken",
    ]);
  });

  it("keeps everything above a parent that is not there, and ends where a chain bites its tail", () => {
    const at = (id: string, parentId: string | null) => ({ id, parentId });
    const texts = (...lines: string[]) => itemsOf(...lines).map((item) => ("text" in item ? item.text : ""));
    expect(texts(prompt("old", at("1", null)), prompt("new", at("9", "gone")))).toEqual(["old", "new"]);
    expect(texts(prompt("a", at("1", "2")), prompt("b", at("2", "1")))).toEqual(["a", "b"]);
  });

  it("takes the newest counts or the sum of all", () => {
    const lines = [answer("stop"), answer("stop", { usage: { input: 7 } }), answer("aborted")];
    const { usage } = transcriptOf(lines, { ...options, usage: "newest" });
    expect(usage).toEqual({ input: 7, output: null, cacheRead: null, cacheWrite: null });
    expect(transcriptOf(lines, options).usage.input).toBe(247);
    expect(transcriptOf([], options).usage.input).toBeNull();
  });

  it("counts what it could not read, a torn end too", async () => {
    const path = join(dir, "s.jsonl");
    expect(await readTranscriptOf(path, options)).toBeNull();
    await writeFile(path, `${header()}\nnot json\n\n${prompt()}\n`);
    expect(await readTranscriptOf(path, options)).toMatchObject({
      skippedRecords: 1,
      items: [{ kind: "user" }],
    });
    await appendFile(path, answer("stop").slice(0, 40));
    expect(await readTranscriptOf(path, options)).toMatchObject({
      skippedRecords: 2,
      items: [{ kind: "user" }],
    });
  });

  it("reads whatever is in a file without a throw", () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value));
    const shaped = fc
      .record({ type: fc.constantFrom("message", "compaction", "model_change"), id: fc.jsonValue() })
      .chain((base) => fc.jsonValue().map((message) => JSON.stringify({ ...base, message })));
    fc.assert(
      fc.property(fc.array(fc.oneof(json, shaped, fc.string())), (lines) => {
        const transcript = transcriptOf(lines, options);
        expect(Transcript.parse(transcript)).toEqual(transcript);
      }),
    );
  });
});
