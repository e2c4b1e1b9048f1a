import type { LiveSignals } from "@kolu/anyagent/plugin.ts";
import { describe, expect, it } from "vitest";
import { NO_UPDATES } from "./fold.ts";
import { type GrokFiles, judge } from "./judge.ts";
import type { Subagent } from "./records.ts";
import { NO_SUBAGENTS } from "./subagents.ts";
import {
  allowed,
  atModel,
  event,
  files,
  live,
  phase,
  requested,
  STARTED_AT_MS,
  started,
  turnEnded,
} from "./test-events.ts";

const running = (one: Subagent) => ({ ...NO_SUBAGENTS, running: [one] });
const subagent = (more: Partial<Subagent> = {}): Subagent => ({
  id: "child",
  name: "Look around",
  running: true,
  startedAtMs: STARTED_AT_MS,
  endedAtMs: null,
  ...more,
});
const composer = { name: "composer", state: "waiting" as const, awaiting: null };
const working = { name: "working line", state: "thinking" as const, awaiting: null };
const cases: Record<string, [files: GrokFiles, live: LiveSignals, state: string]> = {
  "the welcome screen: no events yet": [files([]), live(0), "waiting"],
  "a session whose events are not there": [files([], { found: false }), live(0), "unknown"],
  "… with a composer at rest": [files([], { found: false }), live(0, { screen: composer }), "waiting"],
  "… with a title that another process may have left": [
    files([], { found: false }),
    live(0, { title: "⚠ Action Required - ⠹ - grok" }),
    "unknown",
  ],
  "a guessed session while its terminal shows a dialog": [
    files([...atModel(), turnEnded()], { guessed: true }),
    live(9_000, {
      screen: { name: "trust", state: "awaiting", awaiting: { kind: "dialog", message: null } },
    }),
    "awaiting",
  ],
  "a request": [files(atModel()), live(100), "thinking"],
  "an answer that streams": [files([...atModel(), phase("streaming_text")]), live(5_000), "thinking"],
  "a phase of a later release": [files([...atModel(), phase("goal_planning")]), live(5_000), "thinking"],
  "a call that a rule allowed": [files([...atModel(), ...allowed("grep")]), live(3_000), "tool_use"],
  "a call that has just asked": [
    files([...atModel(), phase("permission_prompt"), started("grep"), requested("grep")]),
    live(100),
    "tool_use",
  ],
  "a call that nobody answers": [
    files([...atModel(), phase("permission_prompt"), started("grep"), requested("grep")]),
    live(250),
    "awaiting",
  ],
  "a call that asked while the clock was set back": [
    files([...atModel(), phase("permission_prompt"), started("grep"), requested("grep", 60_000)]),
    live(0),
    "awaiting",
  ],
  "a question among other calls": [
    files([...atModel(), ...allowed("ask_user_question"), ...allowed("grep")]),
    live(1_000),
    "awaiting",
  ],
  "a plan": [files([...atModel(), ...allowed("exit_plan_mode")]), live(1_000), "awaiting"],
  "an ended turn": [files([...atModel(), turnEnded()]), live(1_000), "waiting"],
  "an ended turn with a sub-agent": [
    files([...atModel(), turnEnded()], { subagents: running(subagent()) }),
    live(9_000),
    "background",
  ],
  "… of a process before this one": [
    files([...atModel(), turnEnded()], {
      subagents: running(subagent({ startedAtMs: STARTED_AT_MS - 60_000 })),
    }),
    live(9_000),
    "waiting",
  ],
  "… that has just ended": [
    files([...atModel(), turnEnded()], { subagents: { ...NO_SUBAGENTS, endedAtMs: STARTED_AT_MS + 6_000 } }),
    live(6_100),
    "background",
  ],
  "… that ended and no turn followed": [
    files([...atModel(), turnEnded()], { subagents: { ...NO_SUBAGENTS, endedAtMs: STARTED_AT_MS + 6_000 } }),
    live(6_500),
    "waiting",
  ],
  "… that ended before the turn did": [
    files([...atModel(), turnEnded("completed", 7_000)], {
      subagents: { ...NO_SUBAGENTS, endedAtMs: STARTED_AT_MS + 6_900 },
    }),
    live(7_100),
    "waiting",
  ],
  "a request whose screen was read before it showed": [
    files(atModel()),
    live(300, { screen: composer }),
    "thinking",
  ],
  "a request cancelled before its answer": [files(atModel()), live(2_000, { screen: composer }), "waiting"],
  "… with the title that is left behind": [
    files(atModel()),
    live(2_000, { screen: composer, title: "⠹ - Waiting for response… - hello - grok" }),
    "waiting",
  ],
  "a request that is retried": [files(atModel()), live(9_000, { screen: working }), "thinking"],
  "a compaction": [
    files([...atModel(), turnEnded()]),
    live(9_000, { screen: working, title: "⠹ - Waiting - hello - grok" }),
    "thinking",
  ],
  "the working line of a turn that has just ended": [
    files([...atModel(), turnEnded()]),
    live(200, { screen: working, title: "⠹ - Responding - hello - grok" }),
    "waiting",
  ],
  "a sub-agent's gate, which only the title tells": [
    files([...atModel(), turnEnded()], { subagents: running(subagent()) }),
    live(9_000, { title: "⚠ Action Required - ⠹ - grok" }),
    "awaiting",
  ],
  "the same title without a sub-agent, left by something else": [
    files([...atModel(), turnEnded()]),
    live(9_000, { title: "⚠ Action Required - ⠹ - grok" }),
    "waiting",
  ],
};

describe("a session of Grok Build", () => {
  it.each(Object.entries(cases))("%s", (_, [held, signals, state]) => {
    expect(judge(held, signals).state).toBe(state);
  });

  it("is judged again exactly when time alone changes it", () => {
    const asking = files([...atModel(), phase("permission_prompt"), started("grep"), requested("grep")]);
    expect(judge(asking, live(100)).holdsForMs).toBe(150);
    expect(judge(asking, live(250)).holdsForMs).toBeNull();
    expect(judge(files(atModel()), live(300, { screen: composer })).holdsForMs).toBe(400);
  });

  it("reads the screen only where the events leave room", () => {
    const wants = (held: GrokFiles, signals = live(9_000)) => judge(held, signals).wantsScreen;
    expect(wants(files(atModel()))).toBe(true);
    expect(wants(files([...atModel(), phase("streaming_text")]))).toBe(false);
    expect(wants(files([...atModel(), turnEnded()]))).toBe(false);
    expect(wants(files([...atModel(), turnEnded()]), live(9_000, { title: "⠹ - Waiting - grok" }))).toBe(
      true,
    );
    expect(wants(files([...atModel(), ...allowed("grep")]))).toBe(false);
  });

  it("says what it awaits", () => {
    const updates = { ...NO_UPDATES, about: "rm x" };
    const gate = files([...atModel(), phase("permission_prompt"), requested("run_terminal_command")], {
      updates,
    });
    const command = { kind: "permission", message: "run_terminal_command: rm x" };
    expect(judge(gate, live(1_000)).awaiting).toEqual(command);
    const question = files([...atModel(), ...allowed("ask_user_question")], {
      updates: { ...NO_UPDATES, about: "Which colour?" },
    });
    expect(judge(question, live(1_000)).awaiting).toEqual({ kind: "question", message: "Which colour?" });
  });

  it("says why a turn failed, and nothing of the kind after a cancelled one", () => {
    const failed = files([...atModel(), turnEnded("error")], {
      updates: { ...NO_UPDATES, error: "API error" },
    });
    expect(judge(failed, live(1_000)).error).toBe("API error");
    expect(judge(files([...atModel(), turnEnded("error")]), live(1_000)).error).not.toBeNull();
    expect(judge(files([...atModel(), turnEnded("cancelled")]), live(1_000)).error).toBeNull();
    expect(judge(files([...atModel(), turnEnded("error"), ...atModel(9)]), live(1_000)).error).toBeNull();
  });

  it("counts commands in the background of this process and is not kept working by them", () => {
    const tasks = [
      { id: "new", startedAtMs: STARTED_AT_MS },
      { id: "old", startedAtMs: STARTED_AT_MS - 60_000 },
    ];
    const report = judge(
      files([...atModel(), turnEnded()], { updates: { ...NO_UPDATES, tasks } }),
      live(9_000),
    );
    expect(report).toMatchObject({ state: "waiting", background: { shells: 1, agents: [] } });
  });

  it("is prompted from its first turn on", () => {
    expect(judge(files([]), live(0)).prompted).toBe(false);
    expect(judge(files([event("yolo_toggled")]), live(0)).prompted).toBe(false);
    expect(judge(files(atModel()), live(0)).prompted).toBe(true);
  });
});
