import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transcript } from "@kolu/contract/transcript.ts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editsOfPatch } from "./patch.ts";
import {
  aborted,
  call,
  complete,
  context,
  event,
  item,
  line,
  output,
  said,
  started,
  THREAD,
  tokens,
} from "./test-rollout.ts";
import { createTranscript, readCodexTranscript } from "./transcript.ts";

function built(...lines: string[]): Transcript {
  const builder = createTranscript();
  for (const one of lines) builder.add(one);
  return builder.result({ sessionId: THREAD, title: "A title" });
}
const itemsOf = (...lines: string[]) => built(...lines).items.map(({ atMs: _, ...rest }) => rest);

describe("a conversation", () => {
  it("has what a person and the model said, not what Codex says in a person's name", () => {
    const items = itemsOf(
      context("demo-model"),
      said("user", "<environment_context>\n  <cwd>/p</cwd>", ["environments.environment_context"]),
      said("user", "<environment_context>\n  <cwd>/p</cwd>"),
      said("user", "# AGENTS.md instructions for /p"),
      item("message", { role: "developer", content: [{ type: "input_text", text: "rules" }] }),
      said("user", "rename it", ["user.text"]),
      said("user", "and this", undefined),
      said("assistant", "Done."),
    );
    expect(items).toEqual([
      { kind: "user", text: "rename it" },
      { kind: "user", text: "and this" },
      { kind: "assistant", text: "Done.", model: "demo-model" },
    ]);
  });

  it("has its calls with their results, whenever those came", () => {
    const items = itemsOf(
      call("a", "exec_command", { cmd: "false", yield_time_ms: 1 }),
      call("b", "view_image", { path: "x.png" }),
      output("b", "ok"),
      output("a", "Chunk ID: 1\nProcess exited with code 1\nOutput:\n"),
      call("c", "exec_command", { cmd: "sleep 9" }),
    );
    expect(items).toMatchObject([
      { kind: "tool", name: "exec_command", input: "false", failed: true },
      { kind: "tool", name: "view_image", input: '{\n  "path": "x.png"\n}', output: "ok", failed: false },
      { kind: "tool", input: "sleep 9", output: null, failed: false },
    ]);
  });

  it("has the changes that a patch makes, however it is handed over", () => {
    const patch =
      "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** Update File: b.txt\n@@\n-old\n+new\n same\n*** End Patch\n";
    const edits = [
      { path: "a.txt", before: null, after: "hello" },
      { path: "b.txt", before: "old\nsame", after: "new\nsame" },
    ];
    expect(editsOfPatch(patch)).toEqual(edits);
    const custom = item("custom_tool_call", { call_id: "a", name: "apply_patch", input: patch });
    const shell = call("b", "shell", { command: ["apply_patch", patch] });
    for (const one of [custom, shell]) expect(itemsOf(one)).toMatchObject([{ input: patch, edits }]);
  });

  it("notes interruptions and errors, and shows reasoning", () => {
    const items = itemsOf(
      started(),
      item("reasoning", { summary: [{ type: "summary_text", text: "**Considering**" }] }),
      item("reasoning", { summary: [], encrypted_content: "x" }),
      aborted(),
      complete({ error: { message: "no quota" } }),
      line("compacted", { message: "" }),
    );
    expect(items).toEqual([
      { kind: "reasoning", text: "**Considering**" },
      { kind: "note", text: "Interrupted." },
      { kind: "note", text: "The turn ended by an error: no quota" },
      { kind: "note", text: "The conversation was compacted." },
    ]);
  });

  it("has its head, and its usage without counting the cache twice", () => {
    const meta = line("session_meta", {
      id: THREAD,
      cwd: "/p",
      cli_version: "0.171.0",
      timestamp: "2026-11-30T08:54:29.517Z",
    });
    const usage = { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7 };
    const whole = built(
      meta,
      context("m"),
      tokens(1),
      event("token_count", { info: { total_token_usage: usage } }),
    );
    expect(whole).toMatchObject({
      agent: "codex",
      sessionId: THREAD,
      title: "A title",
      cwd: "/p",
      version: "0.171.0",
      model: "m",
      startedAtMs: Date.parse("2026-11-30T08:54:29.517Z"),
      usage: { input: 40, output: 7, cacheRead: 60, cacheWrite: null },
    });
  });

  it("counts what cannot be read and goes on, whatever the lines are", () => {
    expect(built("{torn", said("assistant", "still here"), "[]").skippedRecords).toBe(2);
    const hostile = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((payload) => line("response_item", payload)),
      fc.jsonValue().map((value) => item("message", { role: "user", content: value })),
      fc
        .jsonValue()
        .map((value) => item("function_call", { call_id: "a", name: "apply_patch", arguments: value })),
      fc.jsonValue().map((value) => item("function_call_output", { call_id: "a", output: value })),
    );
    fc.assert(
      fc.property(fc.array(hostile), (lines) => {
        expect(() => Transcript.parse(built(...lines))).not.toThrow();
      }),
    );
  });
});

describe("read from its file", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "codex-transcript-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it("is whole, with a torn last line left out and counted", async () => {
    const path = join(dir, "rollout.jsonl");
    await writeFile(path, `${said("user", "hi")}\n${said("assistant", "語".repeat(300_000))}\n{"type":"resp`);
    const transcript = await readCodexTranscript({ sessionId: THREAD, sessionPath: path }, { HOME: dir });
    expect(transcript?.items).toHaveLength(2);
    expect(transcript?.skippedRecords).toBe(1);
  });

  it("is none when there is no file", async () => {
    const reference = { sessionId: THREAD, sessionPath: join(dir, "gone.jsonl") };
    expect(await readCodexTranscript(reference, { HOME: dir })).toBeNull();
    expect(await readCodexTranscript({ ...reference, sessionPath: null }, { HOME: dir })).toBeNull();
  });
});
