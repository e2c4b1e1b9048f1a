import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOfEarlierProcess, logClaim } from "./claim.ts";
import { backfill, type Conversation, NO_CONVERSATION } from "./fold.ts";
import { foldLine } from "./log-file.ts";
import { parseEntryLine } from "./records.ts";
import { answer, call, entry, header, prompt, result } from "./test-entries.ts";

function foldAll(lines: readonly string[]): Conversation {
  return lines.reduce<Conversation>((before, line) => {
    const next = foldLine(before, line);
    return next === "malformed" ? before : next;
  }, NO_CONVERSATION);
}
const stateOf = (lines: readonly string[]) => logClaim(foldAll(lines), null).state;

describe("the state of a log", () => {
  const cases: Record<string, [lines: string[], state: string | null]> = {
    "a header alone says nothing": [[header()], null],
    "a prompt is thought about": [[header(), prompt()], "thinking"],
    "a call runs": [[prompt(), call("a")], "tool_use"],
    "of two calls one has its result": [[prompt(), call("a", "b"), result("a")], "tool_use"],
    "both have theirs": [[prompt(), call("a", "b"), result("a"), result("b")], "thinking"],
    "the last word": [[prompt(), answer("stop")], "waiting"],
    "an answer cut off by its limit": [[prompt(), answer("length"), entry("context_edit")], "waiting"],
    "an interrupted answer": [[prompt(), answer("aborted")], "waiting"],
    "an interrupted call": [[prompt(), call("a"), result("a"), answer("aborted")], "waiting"],
    "a failed request": [[prompt(), answer("error"), entry("context_edit")], "waiting"],
    "an answer that comes later": [[prompt(), answer("deferred")], "thinking"],
    "a call without a block for it": [[prompt(), answer("toolUse")], "thinking"],
    "the user's own command moves nothing": [
      [prompt(), answer("stop"), entry("message", { message: { role: "bashExecution", command: "ls" } })],
      "waiting",
    ],
    "bookkeeping moves nothing": [
      [prompt(), call("a"), entry("custom", { customType: "tool_execution_start" }), entry("usage")],
      "tool_use",
    ],
    "a prompt after the last word": [[prompt(), answer("stop"), prompt()], "thinking"],
  };
  for (const [title, [lines, state]] of Object.entries(cases)) {
    it(title, () => expect(stateOf(lines)).toBe(state));
  }

  it("of an earlier process is the end of its turn", () => {
    const log = foldAll([prompt(), call("a")]);
    const startedAtMs = Date.parse("2026-11-30T08:51:00Z");
    expect(isOfEarlierProcess(log, startedAtMs)).toBe(true);
    expect(logClaim(log, startedAtMs)).toMatchObject({ state: "waiting", atMs: startedAtMs });
    expect(logClaim(log, Date.parse("2026-11-30T08:49:00Z")).state).toBe("tool_use");
  });
});

describe("the facts of a log", () => {
  it("carry the newest counts that count anything", () => {
    expect(foldAll([prompt(), answer("stop"), prompt(), answer("aborted")]).contextTokens).toBe(1_250);
    expect(foldAll([prompt(), answer("aborted")]).contextTokens).toBeNull();
  });

  it("know no count after a compaction until the next answer", () => {
    const compacted = [prompt(), answer("stop"), entry("compaction", { summary: "…" })];
    expect(foldAll(compacted).contextTokens).toBeNull();
    expect(foldAll([...compacted, prompt(), answer("stop")]).contextTokens).toBe(1_250);
  });

  it("name the model that answered, and apart from it the one that was chosen", () => {
    const log = foldAll([
      prompt(),
      answer("stop"),
      entry("model_change", { provider: "demo", modelId: "demo-small" }),
    ]);
    expect(log.model).toBe("demo-large");
    expect(log.chosenModel).toEqual({ provider: "demo", model: "demo-small" });
    expect(foldAll([entry("model_change", { model: "demo/x" })]).chosenModel?.model).toBe("x");
  });

  it("keep an error until the next prompt or answer", () => {
    const failed = [prompt(), answer("error", { errorMessage: "400: no" })];
    expect(foldAll(failed).error).toBe("400: no");
    expect(foldAll([...failed, prompt()]).error).toBeNull();
  });

  it("take a name and its removal", () => {
    expect(foldAll([entry("session_info", { name: "Task" })]).name).toBe("Task");
    expect(foldAll([entry("session_info", { name: "Task" }), entry("session_info", { name: "" })]).name).toBe(
      null,
    );
  });

  it("are completed from above without touching what is known", () => {
    const known = foldAll([prompt(), answer("stop", { model: "newer" })]);
    const older = parseEntryLine(answer("stop", { model: "older", usage: { input: 5 } }));
    if (typeof older === "string") throw new Error(older);
    expect(backfill(known, older)).toBe(known);
    expect(backfill(NO_CONVERSATION, older)).toMatchObject({ model: "older", contextTokens: 5 });
  });

  it("count a line that is no entry, and pass one that says nothing", () => {
    const deep = '{"type":'.repeat(200_000);
    for (const line of [deep, "", "{", "null", "[]", '"x"', "{}", '{"type":1}', '{"type":"message"}']) {
      expect(foldLine(NO_CONVERSATION, line), line.slice(0, 40)).toBe("malformed");
    }
    expect(foldLine(NO_CONVERSATION, '{"type":"message","message":{}}')).toBe("malformed");
    expect(foldLine(NO_CONVERSATION, '{"type":"from a later release"}')).toBe(NO_CONVERSATION);
    expect(foldLine(NO_CONVERSATION, '{"type":"message","message":{"role":"system"}}')).toBe(NO_CONVERSATION);
  });
});

describe("real logs, at every point of their growth", () => {
  const integrations = join(import.meta.dirname, "..", "integrations");
  const logs = ["pi", "omp", "xyne"].flatMap((agent) => {
    const dir = join(integrations, agent, "fixtures");
    return readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(dir, name));
  });

  it("are there", () => expect(logs.length).toBeGreaterThan(50));

  it("read as their newest message says, without a malformed line", () => {
    for (const path of logs) {
      let log = NO_CONVERSATION;
      let expected: string | null = null;
      for (const line of readFileSync(path, "utf8").trimEnd().split("\n")) {
        const next = foldLine(log, line);
        if (next === "malformed") throw new Error(`${path}: ${line}`);
        log = next;
        expected = plainState(JSON.parse(line), log) ?? expected;
        expect(logClaim(log, null).state, `${path}\n${line}`).toBe(expected);
      }
    }
  });
});

/** By the newest message alone; null when this line is no news. */
function plainState(
  json: { type: string; message?: { role: string; stopReason?: string } },
  log: Conversation,
) {
  if (json.type !== "message") return null;
  if (json.message?.role === "user") return "thinking";
  if (json.message?.role === "toolResult") return log.openCalls.length > 0 ? "tool_use" : "thinking";
  if (json.message?.role !== "assistant") return null;
  return json.message.stopReason === "toolUse" ? "tool_use" : "waiting";
}

describe("whatever is in a file", () => {
  const json = fc.jsonValue();
  const shaped = fc.record(
    {
      type: fc.constantFrom("message", "session", "model_change", "session_info", "compaction", "title"),
      message: fc.oneof(
        json,
        fc.record(
          {
            role: fc.constantFrom("user", "assistant", "toolResult", "system"),
            content: fc.oneof(
              json,
              fc.array(fc.record({ type: fc.constant("toolCall"), id: json, name: json })),
            ),
            usage: fc.oneof(json, fc.record({ input: json, cacheRead: json })),
            stopReason: fc.oneof(json, fc.constantFrom("stop", "toolUse", "error")),
          },
          { requiredKeys: ["role"] },
        ),
      ),
      timestamp: json,
      name: json,
      model: json,
      modelId: json,
    },
    { requiredKeys: ["type"] },
  );
  const line = fc.oneof(
    fc.string(),
    json.map((value) => JSON.stringify(value)),
    shaped.map((value) => JSON.stringify(value)),
  );

  it("is folded without a throw into a state that the log can have", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const log = foldAll(lines);
        expect(["thinking", "tool_use", "waiting", null]).toContain(logClaim(log, 0).state);
        expect(log.contextTokens === null || Number.isSafeInteger(log.contextTokens)).toBe(true);
      }),
    );
  });
});
