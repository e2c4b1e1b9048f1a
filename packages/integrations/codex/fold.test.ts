import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, foldLine, joined, NO_THREAD, type Thread } from "./fold.ts";
import { parseRecord } from "./records.ts";
import {
  aborted,
  agentEnded,
  call,
  complete,
  context,
  event,
  item,
  OTHER_THREAD,
  output,
  plan,
  said,
  spawned,
  started,
  tokens,
} from "./test-rollout.ts";

function folded(...lines: string[]): Thread {
  return lines.reduce<Thread>((at, line) => {
    const next = foldLine(at, line);
    if (next === "malformed") throw new Error(`malformed: ${line}`);
    return next;
  }, NO_THREAD);
}
const openNames = (thread: Thread) => thread.openCalls.map((one) => one.name);

describe("a turn", () => {
  const cases: Record<string, [lines: string[], turn: Thread["turn"], open: string[]]> = {
    "has not been before the first prompt": [[context("demo-model")], "none", []],
    "begins with its start": [[started()], "open", []],
    "is over with its completion": [[started(), complete()], "over", []],
    "is over after Esc, which is no completion": [
      [started(), call("a", "exec_command"), aborted()],
      "over",
      [],
    ],
    "runs on while one of two calls is open": [
      [started(), call("a", "exec_command"), call("b", "exec_command"), output("a", "done")],
      "open",
      ["exec_command"],
    ],
    "has no open call once all are answered, in any order": [
      [started(), call("a", "x"), call("b", "y"), output("b", ""), output("a", "")],
      "open",
      [],
    ],
    "pairs custom and shell calls likewise": [
      [
        started(),
        item("custom_tool_call", { call_id: "c", name: "apply_patch", input: "*** Begin Patch" }),
        item("local_shell_call", { call_id: "s", action: { command: ["ls"] } }),
        item("custom_tool_call_output", { call_id: "c", output: "ok" }),
      ],
      "open",
      ["local_shell"],
    ],
    "does not begin with a change of settings": [
      [started(), complete(), event("thread_settings_applied")],
      "over",
      [],
    ],
    "is spelled otherwise by other releases": [[event("turn_started"), event("turn_complete")], "over", []],
  };
  for (const [title, [lines, turn, open]] of Object.entries(cases)) {
    it(title, () => {
      const thread = folded(...lines);
      expect(thread.turn).toBe(turn);
      expect(openNames(thread)).toEqual(open);
    });
  }

  it("keeps why it failed until the next one begins", () => {
    const message = JSON.stringify({ error: { message: "The stand-in model fails" } });
    const failed = folded(started(), complete({ error: { message, codex_error_info: "other" } }));
    expect(failed.error).toBe("The stand-in model fails");
    expect(fold(failed, parseRecord(started())!).error).toBeNull();
  });

  it("ends with a plan only when a plan was its last word", () => {
    expect(folded(started(), plan(), complete()).plan).toBe(true);
    expect(folded(started(), plan(), complete(), started(), complete()).plan).toBe(false);
    expect(folded(started(), plan(), aborted()).plan).toBe(false);
  });
});

describe("facts", () => {
  it("are the newest that were told, and zero usage tells nothing", () => {
    const thread = folded(
      context("a"),
      tokens(10),
      context("b"),
      tokens(13_347),
      tokens(0),
      event("token_count", { info: null }),
    );
    expect(thread).toMatchObject({ model: "b", contextTokens: 13_347 });
  });

  it("that are no news leave the same object", () => {
    const before = folded(context("a"), tokens(10));
    for (const line of [context("a"), tokens(10), event("item_completed"), event("made_up_next_year")]) {
      expect(foldLine(before, line)).toBe(before);
    }
  });
});

describe("a sub-agent", () => {
  const running = [started(), ...spawned("s", OTHER_THREAD, "Hilbert"), complete()];
  it("lives behind the ended turn until its notice", () => {
    expect(folded(...running).agents).toMatchObject([{ threadId: OTHER_THREAD, name: "Hilbert" }]);
    expect(folded(...running, agentEnded(OTHER_THREAD)).agents).toEqual([]);
  });
  it("ends when it is closed, or waited for", () => {
    const closed = [started(), call("c", "close_agent", { target: OTHER_THREAD }), output("c", "{}")];
    expect(folded(...running, ...closed).agents).toEqual([]);
    const status = JSON.stringify({ status: { [OTHER_THREAD]: { completed: "x" } } });
    const waited = [started(), call("w", "wait_agent", { targets: [OTHER_THREAD] }), output("w", status)];
    expect(folded(...running, ...waited).agents).toEqual([]);
  });
  it("is not ended by a person who quotes a notice about another", () => {
    expect(folded(...running, said("user", '<subagent_notification>{"agent_path":"x"}')).agents).toHaveLength(
      1,
    );
  });
});

describe("the end of a long file", () => {
  const above = [
    started(),
    context("demo-model"),
    tokens(5),
    call("a", "exec_command"),
    call("b", "exec_command"),
  ];
  it("is completed by what lies above it", () => {
    const below = folded(output("a", ""), call("c", "view_image"));
    const whole = joined(folded(...above), below);
    expect(whole.turn).toBe("open");
    expect(whole.openCalls.map((one) => one.callId)).toEqual(["b", "c"]);
    expect(whole).toMatchObject({ model: "demo-model", contextTokens: 5 });
  });
  it("stands for itself once it tells of a turn", () => {
    expect(joined(folded(...above), folded(complete())).openCalls).toEqual([]);
  });
  it("is taken for a turn that runs when its beginning is out of reach", () => {
    expect(joined(NO_THREAD, folded(call("c", "view_image"))).turn).toBe("open");
  });
});

const fixtures = join(import.meta.dirname, "fixtures", "0.171.0");
const rollouts = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".jsonl"),
);

describe("every prefix of a real rollout", () => {
  for (const path of rollouts.filter((one) => one.includes("rollout-"))) {
    it(`${path} reads as one turn after another`, () => {
      const lines = readFileSync(join(fixtures, path), "utf8").trimEnd().split("\n");
      let thread = NO_THREAD;
      for (const line of lines) {
        const next = foldLine(thread, line);
        if (next === "malformed") throw new Error(`malformed: ${line.slice(0, 80)}`);
        thread = next;
        if (thread.turn !== "open") expect(thread.openCalls).toEqual([]);
      }
      expect(lines.length).toBeGreaterThan(5);
    });
  }
});

describe("hostile lines", () => {
  const types = ["event_msg", "response_item", "turn_context", "session_meta", "compacted"];
  const payloadTypes = [
    "task_started",
    "task_complete",
    "turn_aborted",
    "function_call",
    "function_call_output",
    "token_count",
    "item_completed",
    "message",
  ];
  const record = fc.record(
    {
      timestamp: fc.oneof(fc.string(), fc.constant("2026-11-30T08:55:02.855Z"), fc.integer()),
      type: fc.oneof(fc.constantFrom(...types), fc.string()),
      payload: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            type: fc.constantFrom(...payloadTypes),
            call_id: fc.constantFrom("a", "b"),
            item: fc.jsonValue(),
            info: fc.jsonValue(),
            output: fc.jsonValue(),
            name: fc.constantFrom("spawn_agent", "wait_agent", "x"),
            arguments: fc.jsonValue(),
            error: fc.jsonValue(),
            content: fc.jsonValue(),
            role: fc.constantFrom("user", "assistant"),
          },
          { requiredKeys: ["type"] },
        ),
      ),
    },
    { requiredKeys: ["type"] },
  );
  it("never make it throw, and never leave a call open behind a turn", () => {
    const lines = fc.array(
      fc.oneof(
        record.map((one) => JSON.stringify(one)),
        fc.string(),
        fc.json(),
      ),
    );
    fc.assert(
      fc.property(lines, (all) => {
        let thread = NO_THREAD;
        for (const line of all) {
          const next = foldLine(thread, line);
          if (next !== "malformed") thread = next;
        }
        expect(["none", "open", "over"]).toContain(thread.turn);
      }),
    );
  });
  it("that are no records are counted", () => {
    for (const line of ["", "null", "[]", '{"a":1}', "{", '{"type":5}', '"task_started"']) {
      expect(foldLine(NO_THREAD, line)).toBe("malformed");
    }
  });
});
