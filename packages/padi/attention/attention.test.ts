import type { AgentReading } from "@kolu/contract/agent.ts";
import { expect, test } from "vitest";
import { testAgent, testRecord } from "../test-records.ts";
import { type Attention, FINISHED_AFTER_MS, SEEDED, stepAttention, UNSEEDED } from "./attention.ts";

interface Moment {
  agent: AgentReading | null;
  /** Milliseconds since the state's start. */
  after: number;
  lastOutputAtMs?: number;
  /** Expected. */
  is: Attention["class"];
  unread?: true;
}

const at = (state: Parameters<typeof testAgent>[0], changes: Partial<AgentReading> = {}) =>
  testAgent(state, { sinceMs: 10_000, ...changes });
const quiet = FINISHED_AFTER_MS;

const stories: Record<string, { start: Attention; reportsTurns?: false; moments: Moment[] }> = {
  "a turn that ends is finished once it is quiet, and counted once": {
    start: SEEDED,
    moments: [
      { agent: at("thinking"), after: 0, is: "working" },
      { agent: at("waiting"), after: 0, is: "linger" },
      { agent: at("waiting"), after: quiet - 1, is: "linger" },
      { agent: at("waiting"), after: quiet, is: "finished", unread: true },
      { agent: at("waiting"), after: 90_000, lastOutputAtMs: 99_000, is: "finished" },
    ],
  },
  "output after the turn's end puts off the finish": {
    start: SEEDED,
    moments: [
      { agent: at("waiting"), after: quiet, lastOutputAtMs: 14_000, is: "linger" },
      { agent: at("waiting"), after: 4_000 + quiet, lastOutputAtMs: 14_000, is: "finished", unread: true },
    ],
  },
  "a question is counted once for as long as it stands": {
    start: SEEDED,
    moments: [
      { agent: at("awaiting"), after: 0, is: "awaiting", unread: true },
      { agent: at("awaiting", { contextTokens: 9 }), after: 60_000, is: "awaiting" },
      { agent: at("tool_use"), after: 0, is: "working" },
      { agent: at("awaiting"), after: 0, is: "awaiting", unread: true },
    ],
  },
  "a question that ends in the turn's end was told already": {
    start: SEEDED,
    moments: [
      { agent: at("awaiting"), after: 0, is: "awaiting", unread: true },
      { agent: at("waiting"), after: quiet, is: "finished" },
    ],
  },
  "the first reading after a restart alerts nobody": {
    start: UNSEEDED,
    moments: [
      { agent: null, after: 0, is: "none" },
      { agent: at("waiting"), after: 0, is: "finished" },
      { agent: at("waiting"), after: quiet, is: "finished" },
      { agent: at("thinking"), after: 0, is: "working" },
      { agent: at("waiting"), after: quiet, is: "finished", unread: true },
    ],
  },
  "a question that stood over a restart alerts nobody either": {
    start: UNSEEDED,
    moments: [
      { agent: at("awaiting"), after: 0, is: "awaiting" },
      { agent: at("thinking"), after: 0, is: "working" },
      { agent: at("awaiting"), after: 0, is: "awaiting", unread: true },
    ],
  },
  "an agent that never had a prompt has finished nothing": {
    start: SEEDED,
    moments: [{ agent: at("waiting", { prompted: false }), after: 60_000, is: "none" }],
  },
  "work in the background is work": {
    start: SEEDED,
    moments: [{ agent: at("background"), after: 60_000, is: "working" }],
  },
  "an agent that is not understood belongs nowhere": {
    start: SEEDED,
    moments: [{ agent: at("unknown"), after: 60_000, is: "none" }],
  },
  "an agent that says nothing of its turns is never finished": {
    start: SEEDED,
    reportsTurns: false,
    moments: [{ agent: at("waiting"), after: 60_000, is: "none" }],
  },
};

for (const [title, { start, reportsTurns, moments }] of Object.entries(stories)) {
  test(title, () => {
    let attention = start;
    for (const { agent, after, lastOutputAtMs, is, unread } of moments) {
      const step = stepAttention(attention, {
        record: testRecord(1, { agent }),
        lastOutputAtMs: lastOutputAtMs ?? null,
        reportsTurns: reportsTurns ?? true,
        nowMs: 10_000 + after,
      });
      expect([step.attention.class, step.unread]).toEqual([is, unread ?? false]);
      attention = step.attention;
    }
  });
}

test("a program that reports in band is attended to like an agent", () => {
  const program = {
    id: "",
    app: "deploy",
    kind: null,
    progress: null,
    message: null,
    title: null,
    updatedAtMs: 10_000,
  };
  const classOf = (state: "blocked" | "working" | "done" | "error" | "idle") =>
    stepAttention(SEEDED, {
      record: testRecord(1, { program: { ...program, state } }),
      lastOutputAtMs: null,
      reportsTurns: true,
      nowMs: 60_000,
    }).attention.class;
  expect(classOf("blocked")).toBe("awaiting");
  expect(classOf("working")).toBe("working");
  expect(classOf("done")).toBe("finished");
  expect(classOf("error")).toBe("finished");
  expect(classOf("idle")).toBe("none");
});

test("a terminal without a live process needs nobody", () => {
  const record = testRecord(1, { life: "parked", agent: at("awaiting") });
  const step = stepAttention(SEEDED, { record, lastOutputAtMs: null, reportsTurns: true, nowMs: 0 });
  expect(step.attention.class).toBe("none");
});
