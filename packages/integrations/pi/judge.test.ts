import type { LiveSignals, ScreenFinding } from "@kolu/anyagent/plugin.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { type Conversation, NO_CONVERSATION } from "@kolu/entry-log/fold.ts";
import { describe, expect, it } from "vitest";
import { judge, type PiFiles } from "./judge.ts";

const NOW_MS = 1_000_000;
const files = (conversation: Partial<Conversation> = {}, changes: Partial<PiFiles> = {}): PiFiles => ({
  path: "/s.jsonl",
  found: true,
  header: { kind: "header", sessionId: "s", startedAtMs: 1, cwd: "/" },
  conversation: { ...NO_CONVERSATION, newest: "something", newestAtMs: NOW_MS - 10, ...conversation },
  malformedRecords: 0,
  ...changes,
});
const root = (state: ProgramRecord["state"], changes: Partial<ProgramRecord> = {}): ProgramRecord => ({
  id: "",
  app: "pi",
  state,
  kind: null,
  progress: null,
  message: null,
  title: null,
  updatedAtMs: NOW_MS,
  ...changes,
});
const found = (state: ScreenFinding["state"]): ScreenFinding => ({
  name: "seen",
  state,
  awaiting: state === "awaiting" ? { kind: "question", message: null } : null,
});
const live = (changes: Partial<LiveSignals> = {}): LiveSignals => ({
  inBand: [],
  title: "π - project",
  screen: null,
  nowMs: NOW_MS,
  ...changes,
});
const CALL = { turn: "open", openCalls: [{ id: "a", name: "bash" }] } as const;
const FAILED = { turn: "over", error: "500: no" } as const;

describe("what is believed of Pi", () => {
  const cases: Record<string, [PiFiles, LiveSignals, state: string, source: string]> = {
    "in band before the log": [
      files({ turn: "over" }),
      live({ inBand: [root("working")] }),
      "thinking",
      "in-band",
    ],
    "the log tells what the work is": [
      files(CALL),
      live({ inBand: [root("working")] }),
      "tool_use",
      "in-band",
    ],
    "a dialog in band while a call is open": [
      files(CALL),
      live({ inBand: [root("blocked", { kind: "permission" })] }),
      "awaiting",
      "in-band",
    ],
    "rest in band over an open turn of another session": [
      files({ turn: "open" }),
      live({ inBand: [root("idle")] }),
      "waiting",
      "in-band",
    ],
    "the log alone": [files({ turn: "open" }), live(), "thinking", "transcript"],
    "the log before an idle composer": [
      files({ turn: "open" }),
      live({ screen: found("waiting") }),
      "thinking",
      "transcript",
    ],
    "a failed request that is tried again": [
      files(FAILED),
      live({ screen: found("thinking") }),
      "thinking",
      "screen",
    ],
    "a failed request that is not": [
      files(FAILED),
      live({ screen: found("waiting") }),
      "waiting",
      "transcript",
    ],
    "a dialog on the screen over an open call": [
      files(CALL),
      live({ screen: found("awaiting") }),
      "awaiting",
      "screen",
    ],
    "no dialog over a turn that ended": [
      files({ turn: "over" }),
      live({ screen: found("awaiting") }),
      "waiting",
      "transcript",
    ],
    "the screen before any prompt": [files(), live({ screen: found("waiting") }), "waiting", "screen"],
    "nothing at all": [files({}, { found: false }), live(), "unknown", "process"],
  };
  for (const [title, [said, signals, state, source]] of Object.entries(cases)) {
    it(title, () => expect(judge(said, null, signals)).toMatchObject({ state, source }));
  }

  it("a call that a killed process left open is over", () => {
    const report = judge(files({ ...CALL, newestAtMs: 5_000 }), 10_000, live());
    expect(report).toMatchObject({ state: "waiting", error: null });
    expect(report.signals[0]?.note).toContain("before this process");
  });

  it("tells an error in band as it is given there, and of the log only without that", () => {
    expect(judge(files(FAILED), null, live()).error).toBe("500: no");
    expect(judge(files(FAILED), null, live({ inBand: [root("done")] })).error).toBeNull();
    const failed = live({ inBand: [root("error", { message: "429" })] });
    expect(judge(files(), null, failed)).toMatchObject({ state: "waiting", error: "429" });
    expect(judge(files({ ...FAILED, turn: "open" }), null, live()).error).toBeNull();
  });

  it("wants the screen exactly while nothing is said in band", () => {
    expect(judge(files(), null, live()).wantsScreen).toBe(true);
    expect(judge(files(), null, live({ inBand: [root("idle")] })).wantsScreen).toBe(false);
  });

  it("names the model that answered, else the one that will", () => {
    const chosenModel = { provider: "demo", model: "small" };
    expect(judge(files({ chosenModel }), null, live()).model).toBe("small");
    expect(judge(files({ chosenModel, model: "large" }), null, live()).model).toBe("large");
  });
});
