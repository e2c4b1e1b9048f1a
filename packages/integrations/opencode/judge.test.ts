import type { LiveSignals, ScreenFinding } from "@kolu/anyagent/plugin.ts";
import { describe, expect, it } from "vitest";
import { foldRows, type Rows } from "./fold.ts";
import { judge, type OpencodeFacts } from "./judge.ts";
import { BUSY_LINE, IDLE_COMPOSER, START_PAGE } from "./screen.ts";
import { answer, prompt, STARTED_AT_MS, sessionRow, tool } from "./test-rows.ts";

const T = STARTED_AT_MS + 10_000;

function said(given: Partial<Rows>, live: Partial<LiveSignals> = {}, more: Partial<OpencodeFacts> = {}) {
  const facts: OpencodeFacts = {
    sessionId: "ses_one",
    databasePath: "/data/opencode.db",
    processStartedAtMs: STARTED_AT_MS,
    session: sessionRow(),
    conversation: foldRows({ messages: [], tools: [], children: new Map(), ...given }),
    todos: null,
    malformedRecords: 0,
    fault: null,
    ...more,
  };
  return judge(facts, { inBand: [], title: null, screen: null, nowMs: T + 1_000, ...live });
}

const finding = (name: string, state: ScreenFinding["state"], kind: string | null = null): ScreenFinding => {
  return { name, state, awaiting: kind === null ? null : { kind, message: "Shell command" } };
};
const GATE = finding("permission gate", "awaiting", "permission");
const BUSY = finding(BUSY_LINE, "thinking");
const IDLE = finding(IDLE_COMPOSER, "waiting");
const running = { messages: [answer(T), prompt()], tools: [tool("bash", "running", { about: "sleep 5" })] };
const round = { messages: [answer(T, { completedAtMs: T + 500, finish: "tool-calls" }), prompt()] };

describe("a gate, which is on the screen alone", () => {
  it("is seen over a running call", () => {
    expect(said(running, { screen: GATE })).toMatchObject({
      state: "awaiting",
      source: "screen",
      awaiting: { kind: "permission", message: "Shell command" },
    });
  });

  it("is looked for while calls run, and not while an answer streams", () => {
    expect(said(running)).toMatchObject({ state: "tool_use", source: "transcript", wantsScreen: true });
    expect(said({ messages: [answer(T)] })).toMatchObject({ state: "thinking", wantsScreen: false });
  });

  it("is not a list that the person opened over the work", () => {
    const list = finding("list", "awaiting", "dialog");
    expect(said(running, { screen: list })).toMatchObject({ state: "tool_use" });
  });
});

describe("a round of calls that has ended", () => {
  it("is work until no request can follow any more", () => {
    expect(said(round, { nowMs: T + 600 })).toMatchObject({ state: "thinking", holdsForMs: 900 });
    expect(said(round, { nowMs: T + 1_500 })).toMatchObject({
      state: "waiting",
      holdsForMs: null,
      wantsScreen: true,
    });
  });

  it("is work for as long as the screen shows it", () => {
    const late = said(round, { nowMs: T + 5_000, screen: BUSY });
    expect(late).toMatchObject({ state: "thinking", source: "screen" });
  });

  it("ends sooner after a refusal", () => {
    const refused = { ...round, tools: [tool("bash", "error", { error: "The user rejected permission." })] };
    expect(said(refused, { nowMs: T + 600 })).toMatchObject({ state: "thinking", holdsForMs: 150 });
    expect(said(refused, { nowMs: T + 750 })).toMatchObject({ state: "waiting", error: null });
  });
});

describe("a prompt without an answer", () => {
  const alone = { messages: [prompt(T)] };
  it("is work, also when the answer is late", () => {
    expect(said(alone, { nowMs: T + 20 })).toMatchObject({ state: "thinking", wantsScreen: false });
    expect(said(alone, { nowMs: T + 9_000, screen: BUSY })).toMatchObject({ state: "thinking" });
  });

  it("is over when the composer has nothing running for long", () => {
    expect(said(alone, { nowMs: T + 4_900, screen: IDLE })).toMatchObject({ state: "thinking" });
    expect(said(alone, { nowMs: T + 5_000, screen: IDLE })).toMatchObject({ state: "waiting" });
  });
});

describe("what an earlier process left open", () => {
  for (const [title, given] of Object.entries({ running, prompt: { messages: [prompt(T)] } })) {
    it(`is over: ${title}`, () => {
      const later = said(given, {}, { processStartedAtMs: T + 5_000 });
      expect(later).toMatchObject({ state: "waiting", wantsScreen: false, prompted: true });
    });
  }

  it("is told from what began in the second of the process's start", () => {
    expect(said(running, {}, { processStartedAtMs: T + 900 })).toMatchObject({ state: "tool_use" });
    expect(said(running, {}, { processStartedAtMs: null })).toMatchObject({ state: "tool_use" });
  });
});

it("a question is awaiting, with its words, whatever the screen says", () => {
  const asking = { messages: [answer(T)], tools: [tool("question", "running", { about: "Which colour?" })] };
  expect(said(asking, { screen: BUSY })).toMatchObject({
    state: "awaiting",
    source: "transcript",
    awaiting: { kind: "question", message: "Which colour?" },
  });
});

it("an error that ended the turn is told, one that was got over is not", () => {
  const error = { name: "APIError", message: "no credit" };
  const failed = answer(T, { completedAtMs: T + 10, error });
  expect(said({ messages: [failed] })).toMatchObject({ state: "waiting", error: "no credit" });
  expect(said({ messages: [answer(T + 99), failed] })).toMatchObject({ state: "thinking", error: null });
});

it("another session's title is a note in the explanation, and no state", () => {
  const over = { messages: [answer(T, { completedAtMs: T + 1, finish: "stop" })] };
  const { signals, state } = said(over, { title: "OC | Something else" });
  expect(state).toBe("waiting");
  expect(signals.find((signal) => signal.source === "title")?.note).toMatch(/another session/);
});

it("a session without a message is what the screen says, but the start page is no session's", () => {
  expect(said({}, { screen: IDLE })).toMatchObject({ state: "waiting", prompted: false });
  expect(said({})).toMatchObject({ state: "unknown", wantsScreen: true });
  const page = finding(START_PAGE, "waiting");
  expect(said(running, { screen: page })).toMatchObject({ state: "tool_use" });
});

it("a fault is said and takes nothing back", () => {
  const fault = "/data/opencode.db: database is locked; what was read before stands";
  expect(said(running, {}, { fault })).toMatchObject({ state: "tool_use", missing: [fault] });
  expect(said({}, {}, { fault, session: null })).toMatchObject({ state: "unknown", unknownReason: fault });
});
