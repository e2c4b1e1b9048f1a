import type { LiveSignals, ScreenFinding } from "@kolu/anyagent/plugin.ts";
import { type Conversation, NO_CONVERSATION } from "@kolu/entry-log/fold.ts";
import { describe, expect, it } from "vitest";
import { judge, type OmpFiles } from "./judge.ts";

const NOW_MS = 1_000_000;
const STARTED_AT_MS = NOW_MS - 60_000;
const files = (conversation: Partial<Conversation> = {}, changes: Partial<OmpFiles> = {}): OmpFiles => ({
  breadcrumbPath: "/t/pts-0",
  sessionPath: "/s.jsonl",
  found: true,
  header: { kind: "header", sessionId: "s", startedAtMs: 1, cwd: "/" },
  conversation: { ...NO_CONVERSATION, newest: "something", newestAtMs: NOW_MS - 10, ...conversation },
  title: null,
  malformedRecords: 0,
  ...changes,
});
const seen = (state: ScreenFinding["state"], kind = "permission"): ScreenFinding => ({
  name: "seen",
  state,
  awaiting: state === "awaiting" ? { kind, message: "bash: ls" } : null,
});
const live = (title: string | null, screen: ScreenFinding | null = null, nowMs = NOW_MS): LiveSignals => ({
  inBand: [],
  title,
  screen,
  nowMs,
});
const CALL = { turn: "open", openCalls: [{ id: "a", name: "bash" }] } as const;
const FAILED = { turn: "over", error: "500: no" } as const;
const [REST, WORK, BLOCKED] = ["π > name", "π ⠧ name", "π ! name"];

describe("what is believed of Oh My Pi", () => {
  const cases: Record<string, [OmpFiles, LiveSignals, state: string, source: string]> = {
    "the log before the title": [files({ turn: "over" }), live(WORK), "waiting", "transcript"],
    "a call that runs": [files(CALL), live(WORK, seen("thinking")), "tool_use", "transcript"],
    "a dialog over an open call": [files(CALL), live(BLOCKED, seen("awaiting")), "awaiting", "title"],
    "a dialog that the title does not know yet": [
      files(CALL),
      live(WORK, seen("awaiting")),
      "awaiting",
      "screen",
    ],
    "a dialog that no recogniser knows": [files(CALL), live(BLOCKED), "awaiting", "title"],
    "a title that stays blocked after the answer": [
      files(CALL),
      live(BLOCKED, seen("thinking")),
      "tool_use",
      "transcript",
    ],
    "a first turn, before its file": [files({}, { found: false }), live(WORK), "thinking", "title"],
    "no prompt, before its file": [files({}, { found: false }), live(REST), "waiting", "title"],
    "a failed request that is tried again": [files(FAILED), live(WORK), "thinking", "title"],
    "a failed request that is not": [files(FAILED), live(REST, seen("waiting")), "waiting", "transcript"],
    "what a killed process left, until it is done": [
      files({ ...CALL, newestAtMs: STARTED_AT_MS - 5_000 }),
      live(REST),
      "waiting",
      "transcript",
    ],
    "sub-agents behind a turn that has ended": [
      files({ turn: "over" }),
      live(REST, seen("background")),
      "background",
      "screen",
    ],
    "a turn that no prompt began": [
      files({ turn: "over" }),
      live(WORK, seen("thinking")),
      "thinking",
      "title",
    ],
    "a turn with sub-agents": [files(CALL), live(WORK, seen("background")), "tool_use", "transcript"],
    "the review of a plan after the turn": [
      files({ turn: "over" }),
      live(REST, seen("awaiting", "plan")),
      "awaiting",
      "screen",
    ],
    "the screen alone": [files({}, { found: false }), live(null, seen("waiting")), "waiting", "screen"],
    "nothing at all": [files({}, { found: false }), live("bash"), "unknown", "process"],
  };
  for (const [title, [said, signals, state, source]] of Object.entries(cases)) {
    it(title, () => expect(judge(said, STARTED_AT_MS, signals)).toMatchObject({ state, source }));
  }

  it("takes what it waits for from the screen, and calls an unknown one a dialog", () => {
    expect(judge(files(CALL), STARTED_AT_MS, live(BLOCKED, seen("awaiting"))).awaiting).toEqual({
      kind: "permission",
      message: "bash: ls",
    });
    expect(judge(files(CALL), STARTED_AT_MS, live(BLOCKED)).awaiting?.kind).toBe("dialog");
  });

  it("trusts no title in the first moments, and looks again after them", () => {
    const starting = judge(files({}, { found: false }), NOW_MS - 500, live(BLOCKED));
    expect(starting).toMatchObject({ state: "unknown", holdsForMs: 1_500 });
    const started = judge(files({}, { found: false }), NOW_MS - 2_500, live(BLOCKED));
    expect(started).toMatchObject({ state: "awaiting", holdsForMs: null });
  });
});
