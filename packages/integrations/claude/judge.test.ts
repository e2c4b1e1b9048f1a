import type { LiveSignals, SessionReport } from "@kolu/anyagent/plugin.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { describe, expect, it } from "vitest";
import { NO_FACTS } from "./conversation.ts";
import { type Conversation, fold, NO_CONVERSATION } from "./fold.ts";
import { judge } from "./judge.ts";
import { parseTranscriptLine, type StatusFile } from "./records.ts";
import {
  agentLaunch,
  answer,
  apiError,
  call,
  inBand,
  prompt,
  result,
  STARTED_AT_MS,
  shellLaunch,
  statusFile,
  turnEnd,
  workflowLaunch,
} from "./test-entries.ts";

interface Moment {
  status?: StatusFile | null;
  entries?: Record<string, unknown>[];
  inBand?: ProgramRecord[];
  title?: string | null;
  screen?: LiveSignals["screen"];
  /** Milliseconds after the start of the process. */
  nowMs?: number;
}

function judgeMoment({
  status = null,
  entries = [],
  inBand: words = [],
  title = null,
  screen = null,
  nowMs = 5_000,
}: Moment): SessionReport {
  const conversation = entries.reduce<Conversation>((before, entry) => {
    const record = parseTranscriptLine(JSON.stringify(entry));
    return typeof record === "string" ? before : fold(before, record);
  }, NO_CONVERSATION);
  const files = {
    ...NO_FACTS,
    statusPath: "/sessions/69.json",
    status,
    statusSeenAtMs: status?.statusUpdatedAtMs ?? 0,
    conversation,
    transcriptFound: entries.length > 0,
  };
  return judge(files, { inBand: words, title, screen, nowMs: STARTED_AT_MS + nowMs });
}

const waiting = (waitingFor: string, ms = 4_000) =>
  statusFile("waiting", { waitingFor, statusUpdatedAtMs: STARTED_AT_MS + ms });
const since = (status: string, ms: number) => statusFile(status, { statusUpdatedAtMs: STARTED_AT_MS + ms });
const ask = call("q1", "AskUserQuestion", { questions: [{ question: "Which colour?" }] });
const plan = call("p1", "ExitPlanMode", { plan: "# Plan" });

describe("the state", () => {
  const cases: Record<
    string,
    Moment & { state: SessionReport["state"]; source?: string; awaiting?: string }
  > = {
    // The status file, in either order with the transcript.
    "idle before the final entry is written": {
      status: since("idle", 2_000),
      entries: [prompt(), call("t1"), result("t1")],
      state: "waiting",
      source: "status-file",
    },
    "busy with the turn's end already written": {
      status: statusFile("busy"),
      entries: [prompt(), answer()],
      state: "thinking",
    },
    "waiting before the call is written": {
      status: waiting("permission prompt"),
      entries: [prompt()],
      state: "awaiting",
      awaiting: "permission",
    },
    "the call written before waiting": {
      status: statusFile("busy"),
      entries: [prompt(), call("t1")],
      state: "tool_use",
    },
    "a question, its call written first": {
      status: statusFile("busy"),
      entries: [prompt(), ask],
      state: "thinking",
    },
    "a question": {
      status: waiting("input needed"),
      entries: [prompt(), ask],
      state: "awaiting",
      awaiting: "question",
    },
    "a question that 2.1.197 calls a permission": {
      status: waiting("permission prompt"),
      entries: [prompt(), ask],
      state: "awaiting",
      awaiting: "question",
    },
    "a plan's approval": {
      status: waiting("permission prompt"),
      entries: [prompt(), plan],
      state: "awaiting",
      awaiting: "plan",
    },
    "a sandbox request": { status: waiting("sandbox request"), state: "awaiting", awaiting: "permission" },
    "a goal proposal, in the agent's own words": {
      status: waiting("goal proposal"),
      state: "awaiting",
      awaiting: "goal proposal",
    },
    "one of two parallel results": {
      status: statusFile("busy"),
      entries: [prompt(), call("t1"), call("t2"), result("t1")],
      state: "tool_use",
    },
    "Esc before any output leaves only the status": {
      status: statusFile("idle"),
      entries: [prompt()],
      state: "waiting",
    },
    "the API is being asked again": { status: statusFile("busy"), entries: [prompt()], state: "thinking" },
    "the API refused": { status: statusFile("idle"), entries: [prompt(), apiError()], state: "waiting" },
    "started, no prompt, no transcript": { status: statusFile("idle"), state: "waiting" },
    "a status that kolu does not know": {
      status: statusFile("pondering"),
      state: "unknown",
      source: "process",
    },
    "no status yet": { status: statusFile(null), state: "unknown" },
    "no file at all": { state: "unknown" },

    // Background work.
    "a sub-agent runs behind an ended turn": {
      status: statusFile("busy"),
      entries: [
        prompt(),
        result("t1", { toolUseResult: agentLaunch }),
        answer(),
        turnEnd({ pendingBackgroundAgentCount: 1 }),
      ],
      state: "background",
    },
    "a workflow runs and the turn goes on": {
      status: statusFile("busy"),
      entries: [prompt(), result("t1", { toolUseResult: workflowLaunch })],
      state: "thinking",
    },
    "idle for a moment, with a sub-agent that was not reported as ended": {
      status: since("idle", 4_900),
      entries: [prompt(), result("t1", { toolUseResult: agentLaunch }), answer(), turnEnd()],
      nowMs: 4_915,
      state: "background",
    },
    "idle for longer, whatever was not reported": {
      status: since("idle", 4_900),
      entries: [prompt(), result("t1", { toolUseResult: agentLaunch }), answer(), turnEnd()],
      nowMs: 5_500,
      state: "waiting",
    },
    "a prompt while a workflow runs": {
      status: statusFile("busy"),
      entries: [
        prompt(),
        result("t1", { toolUseResult: workflowLaunch }),
        answer(),
        turnEnd({ pendingWorkflowCount: 1 }),
        prompt(),
      ],
      state: "thinking",
    },
    "only a shell is left": {
      status: statusFile("shell"),
      entries: [prompt(), result("t1", { toolUseResult: shellLaunch }), answer()],
      state: "waiting",
    },
    "work of the process before this one is gone with it": {
      status: statusFile("busy", { startedAtMs: STARTED_AT_MS + 60_000 }),
      entries: [
        prompt(),
        result("t1", { toolUseResult: workflowLaunch }),
        answer(),
        turnEnd({ pendingWorkflowCount: 1 }),
      ],
      state: "thinking",
    },

    // In band first.
    "blocked in band while the file still says busy": {
      status: since("busy", 4_000),
      inBand: [inBand("blocked", 4_900, { kind: "permission", message: "approve Bash: touch x" })],
      entries: [prompt()],
      state: "awaiting",
      source: "in-band",
      awaiting: "permission",
    },
    "answered in band while the file still says waiting": {
      status: waiting("permission prompt", 4_000),
      inBand: [inBand("working", 4_900)],
      entries: [prompt(), call("t1")],
      state: "tool_use",
      source: "in-band",
    },
    "the plan gate names itself": {
      inBand: [inBand("blocked", 4_000, { kind: "permission", message: "approve plan" })],
      state: "awaiting",
      awaiting: "plan",
    },
    "done in band": {
      status: since("busy", 1_000),
      inBand: [inBand("done", 4_900)],
      entries: [prompt()],
      state: "waiting",
      source: "in-band",
    },
    "working in band is refined by the transcript": {
      status: since("busy", 1_000),
      inBand: [inBand("working", 1_000)],
      entries: [prompt(), call("t1")],
      state: "tool_use",
      source: "in-band",
    },
    "a background task in band": {
      status: since("busy", 1_000),
      inBand: [
        inBand("working", 1_000),
        inBand("working", 1_500, { id: "a0123456789abcdef", title: "Look around" }),
      ],
      entries: [prompt(), result("t1", { toolUseResult: agentLaunch }), answer(), turnEnd()],
      state: "background",
    },
    "a task reported in band before its prompt is written": {
      status: since("busy", 9_000),
      inBand: [
        inBand("working", 9_000),
        inBand("working", 9_100, { id: "a0123456789abcdef", title: "Look around" }),
      ],
      entries: [prompt(), answer(), turnEnd()],
      nowMs: 9_101,
      state: "thinking",
    },
    "working in band for a shell alone is not the agent working": {
      status: since("shell", 4_000),
      inBand: [inBand("working", 4_002, { message: "1 shell still running" })],
      entries: [prompt(), result("t1", { toolUseResult: shellLaunch }), answer()],
      state: "waiting",
      source: "status-file",
    },
    "a prompt while the shell runs": {
      status: since("shell", 1_000),
      inBand: [inBand("working", 4_900)],
      entries: [prompt()],
      state: "thinking",
    },
    "idle for a moment between a task's end and its turn": {
      status: since("idle", 4_990),
      inBand: [inBand("working", 1_000)],
      entries: [prompt()],
      state: "thinking",
      nowMs: 5_000,
    },
    "an in-band word that a later status has long contradicted": {
      status: since("idle", 3_000),
      inBand: [inBand("working", 1_000)],
      entries: [prompt()],
      state: "waiting",
      source: "status-file",
      nowMs: 9_000,
    },
    "a dialog opened while idle is not reported in band": {
      status: waiting("dialog open", 4_990),
      inBand: [inBand("done", 4_900)],
      entries: [prompt(), answer()],
      state: "awaiting",
      awaiting: "dialog",
    },
    "a prompt after a dialog": {
      status: waiting("dialog open", 4_000),
      inBand: [inBand("working", 4_100)],
      state: "thinking",
    },

    // Old releases: no status, no in-band words.
    "an old release that asks": {
      status: statusFile(null),
      entries: [prompt(), ask],
      state: "awaiting",
      awaiting: "question",
    },
    "an old release at work": {
      status: statusFile(null),
      entries: [prompt(), call("t1")],
      state: "tool_use",
    },
    "an old release that is done": {
      status: statusFile(null),
      entries: [prompt(), answer()],
      state: "waiting",
      source: "transcript",
    },
    "an old release on a conversation that was killed in the middle": {
      status: statusFile(null, { startedAtMs: STARTED_AT_MS + 60_000 }),
      entries: [prompt(), call("t1")],
      nowMs: 70_000,
      state: "waiting",
    },
    "a resumed conversation while its process is still starting": {
      status: statusFile(null, { startedAtMs: STARTED_AT_MS + 60_000 }),
      entries: [prompt(), answer()],
      nowMs: 61_000,
      state: "unknown",
    },
    "an old release whose gate only the screen shows": {
      status: statusFile(null),
      screen: { name: "gate footer", state: "awaiting", awaiting: { kind: "permission", message: null } },
      state: "awaiting",
      source: "screen",
    },
    "a title alone: the circle turns": {
      status: statusFile(null),
      nowMs: 9_000,
      title: "◐ My task",
      state: "thinking",
      source: "title",
    },
    "a title alone: the star": {
      status: statusFile(null),
      nowMs: 9_000,
      title: "✳ My task",
      state: "waiting",
      source: "title",
    },
    "a title while the process is still starting may be another's": {
      status: statusFile(null),
      title: "◐ My task",
      nowMs: 400,
      state: "unknown",
    },
    "a title that only looks like one": { status: statusFile(null), title: "vim", state: "unknown" },
  };
  for (const [title, { state, source, awaiting, ...moment }] of Object.entries(cases)) {
    it(title, () => {
      const report = judgeMoment(moment);
      expect(report.state).toBe(state);
      if (source !== undefined) expect(report.source).toBe(source);
      if (awaiting !== undefined) expect(report.awaiting?.kind).toBe(awaiting);
      expect(report.awaiting === null).toBe(state !== "awaiting");
      expect(report.unknownReason === null).toBe(state !== "unknown");
    });
  }
});

describe("facts beside the state", () => {
  it("say what is awaited, in the agent's words", () => {
    const words = (moment: Moment) => judgeMoment(moment).awaiting?.message;
    expect(words({ status: waiting("permission prompt"), entries: [prompt(), call("t1")] })).toBe(
      "Bash: sleep 5",
    );
    expect(words({ status: waiting("input needed"), entries: [prompt(), ask] })).toBe("Which colour?");
    const gate = inBand("blocked", 4_000, { kind: "permission", message: "approve Bash: sleep 5" });
    expect(words({ inBand: [gate], entries: [prompt(), call("t1")] })).toBe("approve Bash: sleep 5");
  });

  it("name the error of an ended turn, and none of a running one", () => {
    expect(
      judgeMoment({ status: statusFile("idle"), entries: [prompt(), apiError("API Error: 400 no")] }).error,
    ).toBe("API Error: 400 no");
    expect(judgeMoment({ inBand: [inBand("error", 4_000, { message: "rate limit" })] }).error).toBe(
      "rate limit",
    );
    expect(
      judgeMoment({ status: statusFile("busy"), entries: [prompt(), apiError(), prompt()] }).error,
    ).toBeNull();
  });

  it("name background work while it lives", () => {
    const entries = [
      prompt(),
      result("t1", { toolUseResult: agentLaunch }),
      result("t2", { toolUseResult: workflowLaunch }),
      result("t3", { toolUseResult: shellLaunch }),
      answer(),
      turnEnd({ pendingWorkflowCount: 1, pendingBackgroundAgentCount: 1 }),
    ];
    const all = {
      workflows: [{ name: "demo-sweep", agents: 0 }],
      agents: [{ name: "Look around" }],
      shells: 1,
    };
    expect(judgeMoment({ status: statusFile("busy"), entries }).background).toEqual(all);
    const none = { workflows: [], agents: [], shells: 0 };
    expect(judgeMoment({ status: statusFile("idle"), entries }).background).toEqual(none);
    expect(judgeMoment({ status: statusFile("shell"), entries }).background).toEqual({ ...none, shells: 1 });
    const alive = [inBand("working", 1_000), inBand("working", 1_000, { id: "w01234567", title: "Sweep" })];
    expect(judgeMoment({ status: statusFile("busy"), entries, inBand: alive }).background).toEqual({
      ...all,
      agents: [],
      shells: 0,
    });
  });

  it("count background work whose launch lies before the part that was read", () => {
    const entries = [answer(), turnEnd({ pendingBackgroundAgentCount: 1 })];
    expect(judgeMoment({ status: statusFile("busy"), entries }).background.agents).toEqual([
      { name: "agent" },
    ]);
    const alive = [
      inBand("working", 1_000),
      inBand("working", 1_000, { id: "afedcba9876543210", title: "Look" }),
    ];
    expect(judgeMoment({ status: statusFile("busy"), entries, inBand: alive }).background.agents).toEqual([
      { name: "Look" },
    ]);
  });

  it("explain who spoke and who disagreed", () => {
    const { signals } = judgeMoment({
      status: since("busy", 4_000),
      inBand: [inBand("blocked", 4_900, { kind: "permission" })],
      entries: [prompt()],
      title: "◐ x",
    });
    expect(signals.map(({ source, verdict }) => `${source} ${verdict}`)).toEqual([
      "in-band won",
      "status-file disagreed",
      "transcript disagreed",
      "title disagreed",
    ]);
  });

  it("say how long they hold when time alone will change them", () => {
    const launched = [prompt(), result("t1", { toolUseResult: agentLaunch }), answer(), turnEnd()];
    expect(judgeMoment({ status: since("idle", 4_900), entries: launched, nowMs: 5_000 }).holdsForMs).toBe(
      400,
    );
    const contradicted = { status: since("idle", 4_000), inBand: [inBand("working", 1_000)], nowMs: 4_100 };
    expect(judgeMoment(contradicted).holdsForMs).toBe(900);
    expect(judgeMoment({ ...contradicted, nowMs: 6_000 }).holdsForMs).toBeNull();
    expect(
      judgeMoment({ status: since("idle", 4_000), entries: [prompt(), answer()] }).holdsForMs,
    ).toBeNull();
  });

  it("read the screen only where nothing else speaks", () => {
    expect(judgeMoment({ status: statusFile("idle") }).wantsScreen).toBe(false);
    expect(judgeMoment({ status: statusFile(null), inBand: [inBand("idle", 1_000)] }).wantsScreen).toBe(
      false,
    );
    expect(judgeMoment({ status: statusFile(null) }).wantsScreen).toBe(true);
  });
});
