import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transcript } from "@kolu/contract/transcript.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGrokTranscript, transcriptOf } from "./transcript.ts";

const lines = (...entries: object[]) => entries.map((one) => JSON.stringify(one)).join("\n");
const prompt = (text: string, index: number) => ({
  type: "user",
  content: [{ type: "text", text: `<user_query>\n${text}\n</user_query>` }],
  prompt_index: index,
});
const call = (name: string, args: object) => ({
  type: "assistant",
  content: "",
  tool_calls: [{ id: "c1", name, arguments: JSON.stringify(args) }],
  model_id: "grok-demo",
});
const result = (content: string) => ({ type: "tool_result", tool_call_id: "c1", content });
const update = (atMs: number, content: object) => ({
  params: { update: content, _meta: { agentTimestampMs: atMs } },
});
const of = (history: string, updates = "") =>
  transcriptOf({ sessionId: "s", history, updates, summary: null, usage: null });

describe("a conversation", () => {
  it("is read whole from captured files", async () => {
    const path = join(
      import.meta.dirname,
      "fixtures/1.0.41/awaiting-ask/home/.grok/sessions/%2Ftmp%2Fdemo-b%2Fproject-a",
      "01a22bae-cc6a-7ae1-9ceb-0ea3962dd7be",
    );
    const read = await readGrokTranscript({ sessionId: "x", sessionPath: path });
    expect(Transcript.parse(read)).toEqual(read);
    expect(read).toMatchObject({
      agent: "grok",
      title: "Demo greeting title",
      cwd: "/tmp/demo-b/project-a",
      model: "demo",
      skippedRecords: 0,
    });
    const kinds = read!.items.map((item) => item.kind);
    expect(kinds.filter((kind) => kind === "user")).toHaveLength(6);
    expect(read!.items.find((item) => item.kind === "user")).toEqual({
      kind: "user",
      atMs: 1796029220060,
      text: "hello",
    });
    expect(read!.items.filter((item) => item.kind === "tool")).toMatchObject([
      { name: "run_terminal_command", input: "sleep 5; echo done", output: "exit: 0\ndone\n", failed: false },
      { name: "run_terminal_command", failed: false },
      { name: "ask_user_question", output: null },
    ]);
    expect(read!.usage).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
  });

  it("is null when its files are gone, and a fault when they cannot be read", async () => {
    expect(await readGrokTranscript({ sessionId: "x", sessionPath: "/nowhere" })).toBeNull();
    expect(await readGrokTranscript({ sessionId: "x", sessionPath: null })).toBeNull();
  });

  it("has what a person wrote and none of what the harness adds", () => {
    const { items } = of(
      lines(
        { type: "system", content: "You are Grok" },
        { type: "user", content: [{ type: "text", text: "<user_info>…</user_info>" }] },
        {
          type: "user",
          content: [{ type: "text", text: "<system-reminder>…" }],
          synthetic_reason: "system_reminder",
        },
        prompt("what is\n\nthis?", 0),
        { type: "reasoning", id: "", summary: [{ type: "summary_text", text: "Considering." }] },
        { type: "assistant", content: "A test.", model_id: "grok-demo" },
      ),
    );
    expect(items).toEqual([
      { kind: "user", atMs: null, text: "what is\n\nthis?" },
      { kind: "reasoning", atMs: null, text: "Considering." },
      { kind: "assistant", atMs: null, text: "A test.", model: "grok-demo" },
    ]);
  });

  it("shows edits, failed commands and why a turn failed, each where it happened", () => {
    const edit = { file_path: "/p/a", old_string: "x", new_string: "y" };
    const { items } = of(
      lines(
        prompt("one", 0),
        call("search_replace", edit),
        result("ok"),
        prompt("two", 1),
        { ...prompt("three", 2), prior_turn_interrupt: "mid_turn_abort" },
        call("run_terminal_command", { command: "false" }),
        result("exit: 1\n"),
      ),
      lines(
        update(10, { sessionUpdate: "user_message_chunk", _meta: { promptIndex: 0 } }),
        update(20, { sessionUpdate: "user_message_chunk", _meta: { promptIndex: 1 } }),
        update(25, { sessionUpdate: "turn_completed", stop_reason: "error", agent_result: "API error" }),
        update(30, { sessionUpdate: "user_message_chunk", _meta: { promptIndex: 2 } }),
        update(31, { sessionUpdate: "tool_call", toolCallId: "c1" }),
      ),
    );
    expect(items).toMatchObject([
      { kind: "user", atMs: 10, text: "one" },
      { kind: "tool", edits: [{ path: "/p/a", before: "x", after: "y" }], failed: false },
      { kind: "user", atMs: 20, text: "two" },
      { kind: "note", atMs: 25, text: "API error" },
      { kind: "note", atMs: null, text: "interrupted by the user" },
      { kind: "user", atMs: 30, text: "three" },
      { kind: "tool", atMs: 31, input: "false", output: "exit: 1\n", failed: true },
    ]);
  });

  it("marks a call that failed by the word of its update", () => {
    const failed = update(31, { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" });
    const { items } = of(
      lines(prompt("one", 0), call("write", {}), result("Failed to parse")),
      lines(failed),
    );
    expect(items[1]).toMatchObject({ kind: "tool", failed: true, output: "Failed to parse" });
  });

  it("counts torn and malformed lines", async () => {
    const dir = await mkdtemp(join(tmpdir(), "grok-transcript-"));
    await writeFile(
      join(dir, "chat_history.jsonl"),
      `${lines(prompt("one", 0))}\nnot json\n{"type":"user","con`,
    );
    const read = await readGrokTranscript({ sessionId: "s", sessionPath: dir });
    expect(read).toMatchObject({
      skippedRecords: 2,
      items: [{ text: "one" }],
      title: null,
      startedAtMs: null,
    });
    expect(await readFile(join(dir, "chat_history.jsonl"), "utf8")).toContain("not json");
    await rm(dir, { recursive: true });
  });

  it("of any content never throws and has the common shape", () => {
    const entry = fc.record(
      {
        type: fc.constantFrom("user", "assistant", "tool_result", "system", "new"),
        content: fc.anything(),
        tool_calls: fc.anything(),
        tool_call_id: fc.anything(),
        prompt_index: fc.anything(),
        model_id: fc.anything(),
      },
      { requiredKeys: ["type"] },
    );
    const line = fc.oneof(
      fc.string(),
      entry.map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (history, updates) => {
        const read = of(history.join("\n"), updates.join("\n"));
        expect(Transcript.parse(read)).toEqual(read);
      }),
    );
  });
});
