import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { behind, foldEventLine, foldUpdateLine, NO_TURN, NO_UPDATES, type Turn } from "./fold.ts";
import { judge } from "./judge.ts";
import {
  allowed,
  atModel,
  completed,
  event,
  files,
  folded,
  live,
  phase,
  requested,
  started,
  turnEnded,
  turnStarted,
} from "./test-events.ts";

describe("events, folded", () => {
  const tools = (turn: Turn) => turn.openTools.map(({ tool }) => tool);

  it("of no turn are none", () => {
    expect(folded([])).toBe(NO_TURN);
    expect(folded([event("yolo_toggled", { enabled: true })])).toBe(NO_TURN);
  });

  it("keep calls open until each has ended: parallel ones of one tool are counted", () => {
    const two = [...atModel(), ...allowed("run_terminal_command"), ...allowed("run_terminal_command")];
    expect(tools(folded(two))).toEqual(["run_terminal_command", "run_terminal_command"]);
    expect(tools(folded([...two, completed("run_terminal_command")]))).toEqual(["run_terminal_command"]);
  });

  it("forget calls that never say how they ended: refused arguments, a cancelled turn", () => {
    const refused = [...atModel(), phase("tool_execution"), started("write")];
    expect(tools(folded([...refused, event("loop_started")]))).toEqual([]);
    expect(folded([...refused, turnEnded("cancelled")])).toMatchObject({
      at: "over",
      openTools: [],
      asked: [],
    });
  });

  it("begin anew when a turn starts whose predecessor left no trace of its end", () => {
    const turn = folded([...atModel(0), ...atModel(9_000)]);
    expect(turn).toMatchObject({ at: "open", phase: "waiting_for_model", openTools: [] });
  });

  it("are no news for each chunk of an answer", () => {
    const streaming = folded([...atModel(), phase("streaming_text", 10)]);
    expect(foldEventLine(streaming, phase("streaming_text", 20))).toBe(streaming);
  });

  it("count what is no event, and nothing else", () => {
    for (const line of ["", "{", "[]", "null", '"x"', "{}", '{"type":7}', '{"ts":1,"type":"turn_sta'])
      expect(foldEventLine(NO_TURN, line)).toBe("malformed");
    expect(foldEventLine(NO_TURN, '{"type":"something_new","ts":null}')).toBe(NO_TURN);
  });
});

describe("a part of the events, completed by what lies before it", () => {
  const turn = [
    ...atModel(),
    phase("streaming_text"),
    ...allowed("read_file"),
    ...allowed("run_terminal_command"),
    requested("write"),
    completed("read_file"),
    phase("streaming_text"),
  ];
  const plain = ({ unseen: _, newest: __, newestAtMs: ___, ...rest }: Turn) => rest;

  it("is the whole, wherever it is cut", () => {
    const whole = folded([turnEnded(), ...turn, completed("run_terminal_command"), phase("tool_execution")]);
    const lines = [turnEnded(), ...turn, completed("run_terminal_command"), phase("tool_execution")];
    for (let cut = 0; cut <= lines.length; cut += 1) {
      const joined = behind(folded(lines.slice(0, cut)), folded(lines.slice(cut)));
      expect({ cut, ...plain(joined) }).toEqual({ cut, ...plain(whole) });
    }
  });

  it("needs nothing before the start or end of a turn", () => {
    const newer = folded([turnStarted(), phase("streaming_text")]);
    expect(behind(folded(turn), newer)).toBe(newer);
  });
});

describe("every beginning of the captured files", () => {
  const fixtures = join(import.meta.dirname, "fixtures", "1.0.41");
  const paths = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("events.jsonl"),
  );

  it.each(paths)("%s: is a state, and awaits a person only where a person was asked", (path) => {
    const lines = readFileSync(join(fixtures, path), "utf8").split("\n").filter(Boolean);
    let turn = NO_TURN;
    for (const [at, line] of lines.entries()) {
      turn = foldEventLine(turn, line) as Turn;
      const next = lines[at + 1];
      // As it was seen 100 ms after the line, or when the next one came.
      const lineAtMs = Date.parse(JSON.parse(line).ts);
      const nextAtMs = next === undefined ? Number.POSITIVE_INFINITY : Date.parse(JSON.parse(next).ts);
      const nowMs = Math.min(lineAtMs + 1_000, nextAtMs);
      const { state } = judge(files([], { turn }), { ...live(0), nowMs });
      const asks = turn.openTools.some(
        ({ tool }) => tool === "ask_user_question" || tool === "exit_plan_mode",
      );
      const lasting = nowMs - lineAtMs >= 250 && (turn.asked.length > 0 || asks);
      expect(state === "awaiting").toBe(lasting);
      expect(["thinking", "tool_use", "awaiting", "waiting"]).toContain(state);
    }
  });
});

describe("updates, folded", () => {
  const update = (content: object) =>
    JSON.stringify({ method: "session/update", params: { update: content } });
  const lines = (...all: object[]) =>
    all.reduce((facts: typeof NO_UPDATES, one) => {
      const next = foldUpdateLine(facts, update(one));
      return next === "malformed" ? facts : next;
    }, NO_UPDATES);
  const call = { sessionUpdate: "tool_call", toolCallId: "c1", rawInput: { command: "rm x" } };

  it("tell what the open call is about, until it ends", () => {
    expect(lines(call).about).toBe("rm x");
    const later = { sessionUpdate: "tool_call_update", toolCallId: "c1", rawInput: { variant: "Bash" } };
    expect(lines(call, later).about).toBe("rm x");
    expect(lines(call, { ...later, status: "completed" }).about).toBeNull();
    expect(lines({ ...call, rawInput: { questions: [{ question: "Which?" }] } }).about).toBe("Which?");
  });

  it("tell why a turn failed, until the next call or turn", () => {
    const failed = { sessionUpdate: "turn_completed", stop_reason: "error", agent_result: "API error (400)" };
    expect(lines(failed).error).toBe("API error (400)");
    expect(lines(failed, { sessionUpdate: "turn_completed", stop_reason: "end_turn" }).error).toBeNull();
  });

  it("count commands in the background", () => {
    const task = { task_id: "t1", kind: "bash", status: "running", started_at: "2026-11-30T09:00:01Z" };
    const tasks = {
      sessionUpdate: "background_tasks",
      tasks: [task, { ...task, task_id: "t2", status: "done" }],
    };
    expect(lines(tasks).tasks.map(({ id }) => id)).toEqual(["t1"]);
    const ended = { sessionUpdate: "task_completed", task_snapshot: { task_id: "t1" } };
    expect(lines(tasks, ended).tasks).toEqual([]);
  });

  it("are mostly text of the conversation, which is no news and is not parsed", () => {
    expect(foldUpdateLine(NO_UPDATES, '{"params":{"update":{"sessionUpdate":"agent_message_chunk"')).toBe(
      NO_UPDATES,
    );
    expect(foldUpdateLine(NO_UPDATES, "torn")).toBe("malformed");
  });
});

describe("hostile lines", () => {
  const words = fc.constantFrom(
    "turn_started",
    "turn_ended",
    "tool_started",
    "tool_completed",
    "permission_requested",
    "permission_resolved",
    "phase_changed",
    "loop_started",
    "first_token",
    "tool_call",
    "background_tasks",
    "task_completed",
    "turn_completed",
  );
  const record = fc.record(
    {
      type: fc.oneof(words, fc.anything()),
      ts: fc.oneof(fc.string(), fc.anything()),
      tool_name: fc.anything(),
      phase: fc.anything(),
      outcome: fc.anything(),
      params: fc.record({
        update: fc.oneof(fc.anything(), fc.record({ sessionUpdate: words, tasks: fc.anything() })),
      }),
    },
    { requiredKeys: [] },
  );
  const line = fc.oneof(
    fc.string(),
    record.map((one) => JSON.stringify(one) ?? ""),
    fc.json(),
  );

  it("never throw, and always leave a state", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        let turn = NO_TURN;
        let updates = NO_UPDATES;
        for (const one of lines) {
          const next = foldEventLine(turn, one);
          if (next !== "malformed") turn = next;
          const more = foldUpdateLine(updates, one);
          if (more !== "malformed") updates = more;
        }
        expect(judge(files([], { turn, updates }), live(60_000)).state).not.toBe("unknown");
      }),
    );
  });
});
