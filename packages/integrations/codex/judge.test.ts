import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Expected } from "@kolu/anyagent/conformance.ts";
import type { LiveSignals } from "@kolu/anyagent/plugin.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { describe, expect, it } from "vitest";
import { foldLine, NO_THREAD, type OpenCall, type Thread } from "./fold.ts";
import { judge, type ThreadFiles } from "./judge.ts";
import { outputOf, parseRecord, type ThreadRow } from "./records.ts";
import { readCodexScreen } from "./screen.ts";
import {
  aborted,
  BEGAN_AT_MS,
  call,
  complete,
  OTHER_THREAD,
  output,
  plan,
  spawned,
  started,
  THREAD,
} from "./test-rollout.ts";

const LATER_MS = BEGAN_AT_MS + 60_000;
const ROW: ThreadRow = {
  threadId: THREAD,
  rolloutPath: "/r.jsonl",
  cwd: "/p",
  title: "Rename the button",
  model: "demo-model",
  version: "0.171.0",
  createdAtMs: BEGAN_AT_MS - 30_000,
  updatedAtMs: BEGAN_AT_MS,
  prompted: true,
  listed: true,
};

function filesOf(lines: readonly string[], changes: Partial<ThreadFiles> = {}): ThreadFiles {
  const thread = lines.reduce<Thread>((at, line) => foldLine(at, line) as Thread, NO_THREAD);
  return {
    threadId: THREAD,
    row: ROW,
    rolloutPath: "/r.jsonl",
    rolloutFound: true,
    thread,
    malformedRecords: 0,
    databaseFault: null,
    processStartedAtMs: BEGAN_AT_MS - 31_000,
    ...changes,
  };
}
const inBand = (state: ProgramRecord["state"], kind: string | null = null): ProgramRecord[] => [
  {
    id: "",
    app: "codex",
    state,
    kind,
    progress: null,
    message: null,
    title: null,
    updatedAtMs: LATER_MS - 100,
  },
];
const live = (changes: Partial<LiveSignals> = {}): LiveSignals => {
  return { inBand: [], title: null, screen: null, nowMs: LATER_MS, ...changes };
};
const dialog = (kind: string): LiveSignals["screen"] => {
  return { name: `${kind} footer`, state: "awaiting", awaiting: { kind, message: null } };
};

const EXEC = call("e", "exec_command", { cmd: "touch x" });
const ASK = call("q", "request_user_input", { questions: [{ question: "Which colour?" }] });
const AGENT = [started(), ...spawned("s", OTHER_THREAD, "Hilbert"), complete()];

describe("what it is doing", () => {
  const cases: Record<
    string,
    [lines: string[], signals: Partial<LiveSignals>, state: string, awaiting?: string]
  > = {
    "in band comes first": [[started(), complete()], { inBand: inBand("working") }, "thinking"],
    "the rollout says which sort of work": [[started(), EXEC], { inBand: inBand("working") }, "tool_use"],
    "in band asks, whatever the rollout shows": [
      [started(), EXEC],
      { inBand: inBand("blocked", "permission") },
      "awaiting",
      "permission",
    ],
    "a question in band": [
      [started(), ASK],
      { inBand: inBand("blocked", "question") },
      "awaiting",
      "question",
    ],
    "done is waiting": [[started(), complete()], { inBand: inBand("done") }, "waiting"],
    "an interruption is waiting": [[started(), EXEC, aborted()], {}, "waiting"],
    "silent in band: a turn without calls thinks": [[started()], {}, "thinking"],
    "silent in band: an open call is a tool": [[started(), EXEC], {}, "tool_use"],
    "silent in band: a question asks": [[started(), ASK], {}, "awaiting", "question"],
    "silent in band: a request for permissions asks": [
      [started(), call("r", "request_permissions", { permissions: {} })],
      {},
      "awaiting",
      "permission",
    ],
    "silent in band: … and so does one for a plugin": [
      [started(), call("r", "request_plugin_install", { plugin: "x" })],
      {},
      "awaiting",
      "permission",
    ],
    "silent in band: … answered, the turn goes on": [
      [started(), call("r", "request_permissions", { permissions: {} }), output("r", "{}")],
      {},
      "thinking",
    ],
    "a question beside a running tool does not ask yet": [[started(), EXEC, ASK], {}, "tool_use"],
    "silent in band: the title shows an approval": [
      [started(), EXEC],
      { title: "[ ! ] Action Required | x | p" },
      "awaiting",
      "permission",
    ],
    "silent in band: the title shows a question": [
      [started(), ASK],
      { title: "[ . ] Action Required | x | p" },
      "awaiting",
      "question",
    ],
    "silent in band: the screen shows an approval": [
      [started(), EXEC],
      { screen: dialog("permission") },
      "awaiting",
      "permission",
    ],
    "a stale title does not stand against in-band words": [
      [started(), EXEC],
      { inBand: inBand("working"), title: "[ ! ] Action Required | x | p" },
      "tool_use",
    ],
    "a stale screen does not stand against work in band": [
      [started(), EXEC],
      { inBand: inBand("working"), screen: dialog("permission") },
      "tool_use",
    ],
    "a plan's dialog is not reported in band": [
      [started(), plan(), complete()],
      { inBand: inBand("done"), screen: dialog("plan") },
      "awaiting",
      "plan",
    ],
    "sub-agents behind an ended turn are not reported in band": [
      AGENT,
      { inBand: inBand("done") },
      "background",
    ],
    "sub-agents, silent in band": [AGENT, {}, "background"],
    "a thread that asks while its sub-agent runs": [
      [...AGENT, started(), EXEC],
      { inBand: inBand("blocked", "permission") },
      "awaiting",
      "permission",
    ],
  };
  for (const [title, [lines, signals, state, awaiting]] of Object.entries(cases)) {
    it(title, () => {
      const report = judge(filesOf(lines), live(signals));
      expect(report.state).toBe(state);
      expect(report.awaiting?.kind).toBe(awaiting);
    });
  }

  it("tells what an approval is about", () => {
    const report = judge(filesOf([started(), EXEC]), live({ inBand: inBand("blocked", "permission") }));
    expect(report.awaiting).toEqual({ kind: "permission", message: "exec_command: touch x" });
    expect(report.source).toBe("in-band");
  });

  it("waits a moment before an open question counts: in its default mode Codex refuses it by itself", () => {
    const files = filesOf([started(), ASK]);
    const askedAtMs = files.thread.newestAtMs!;
    const young = judge(files, live({ nowMs: askedAtMs + 10 }));
    expect(young).toMatchObject({ state: "tool_use", holdsForMs: 140 });
    expect(judge(files, live({ nowMs: askedAtMs + 150 }))).toMatchObject({
      state: "awaiting",
      holdsForMs: null,
    });
  });

  it("of an earlier process's sub-agents nothing is known", () => {
    const files = filesOf(AGENT, { processStartedAtMs: LATER_MS });
    expect(judge(files, live()).state).toBe("waiting");
  });

  it("names the error that ended the turn, and only while it waits", () => {
    const failed = [started(), complete({ error: { message: "The stand-in fails" } })];
    expect(judge(filesOf(failed), live()).error).toBe("The stand-in fails");
    expect(judge(filesOf([...failed, started()]), live()).error).toBeNull();
  });

  it("reads the screen only where it may add something", () => {
    const wants = (signals: Partial<LiveSignals>) =>
      judge(filesOf([started(), EXEC]), live(signals)).wantsScreen;
    expect(wants({})).toBe(true);
    expect(wants({ inBand: inBand("done") })).toBe(true);
    expect(wants({ inBand: inBand("working") })).toBe(false);
    expect(wants({ inBand: inBand("blocked", "question") })).toBe(false);
  });
});

describe("a thread without a rollout", () => {
  it("waits for its first prompt, and has no id that could be resumed", () => {
    const report = judge(filesOf([], { row: null, rolloutPath: null, rolloutFound: false }), live());
    expect(report).toMatchObject({
      state: "waiting",
      prompted: false,
      sessionId: null,
      title: null,
      contextTokens: null,
    });
    expect(report.startedAtMs).toBe(Date.parse("2026-11-30T08:54:29.515Z"));
  });
  it("whose row names a file that is gone is unknown, and says which", () => {
    const report = judge(filesOf([], { rolloutFound: false }), live());
    expect(report).toMatchObject({ state: "unknown", sessionPath: null });
    expect(report.unknownReason).toContain("/r.jsonl");
    expect(report.missing[0]).toContain("/r.jsonl is not there");
  });
  it("is unknown while its database cannot be read", () => {
    const files = filesOf([], {
      row: null,
      rolloutFound: false,
      rolloutPath: null,
      databaseFault: "db: locked",
    });
    expect(judge(files, live())).toMatchObject({ state: "unknown" });
    expect(judge(files, live()).missing).toContain("db: locked");
  });
});

it("facts carry through every state", () => {
  const report = judge(filesOf([started(), EXEC, output("e", "x")]), live());
  expect(report).toMatchObject({
    title: "Rename the button",
    model: "demo-model",
    version: "0.171.0",
    todos: null,
  });
});

function answeredInMs({ callId, atMs }: OpenCall, lines: readonly string[]): number {
  const answer = lines
    .map(parseRecord)
    .find((record) => record !== null && outputOf(record)?.callId === callId);
  return (answer?.atMs ?? Number.POSITIVE_INFINITY) - (atMs ?? 0);
}

const fixtures = join(import.meta.dirname, "fixtures", "0.171.0");
describe("every prefix of a captured rollout, judged as it was written", () => {
  for (const situation of readdirSync(fixtures)) {
    const expected = JSON.parse(readFileSync(join(fixtures, situation, "expected.json"), "utf8")) as Expected;
    const threadId = expected.sessionId ?? null;
    const home = join(fixtures, situation, "home");
    if (threadId === null || expected.state === null) continue;
    it(`${situation} never asks by mistake`, () => {
      const name = readdirSync(home, { recursive: true, encoding: "utf8" }).find((one) =>
        one.endsWith(`${threadId}.jsonl`),
      )!;
      const lines = readFileSync(join(home, name), "utf8").trimEnd().split("\n");
      for (let end = 1; end <= lines.length; end += 1) {
        const nowMs = (parseRecord(lines[end - 1]!)?.atMs ?? 0) + 5;
        const files = filesOf(lines.slice(0, end));
        const { state } = judge(files, live({ nowMs }));
        // What a person answered, or has yet to answer, is no mistake.
        if (state === "awaiting")
          expect(answeredInMs(files.thread.openCalls[0]!, lines)).toBeGreaterThan(150);
        else expect(["unknown", "thinking", "tool_use", "waiting", "background"]).toContain(state);
      }
      const screen = readCodexScreen(readFileSync(join(fixtures, situation, "screen.txt"), "utf8"));
      const processStartedAtMs = Date.parse(expected.process!.startedAt!);
      const files = filesOf(lines, { threadId, processStartedAtMs });
      expect(
        judge(files, live({ screen, title: expected.terminalTitle ?? null, nowMs: Date.now() })).state,
      ).toBe(expected.state);
    });
  }
});
