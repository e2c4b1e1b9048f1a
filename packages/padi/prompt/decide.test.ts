import type { AgentState } from "@kolu/contract/agent.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testAgent } from "../test-records.ts";
import { type Attempt, decide, type Look, newAttempt, noteComposer, type Step } from "./decide.ts";

const TEXT = "refactor the parser\nand its tests";
const shows = (draft: string, folded = false): Look["composer"] => ({ draft, folded });
const attempted = (changes: Partial<Attempt>): Attempt => ({ ...newAttempt(TEXT, 20_000), ...changes });
const typed = (changes: Partial<Attempt> = {}): Attempt => attempted({ typedAtMs: 0, ...changes });
const entered = (changes: Partial<Attempt> = {}): Attempt =>
  typed({ enteredAtMs: 1_000, enters: 1, ...changes });

type Seen = [
  nowMs: number,
  state: AgentState | null,
  composer: Look["composer"],
  lastOutputAtMs?: number,
  pasteKey?: string | null,
];

const cases: Record<string, [attempt: Attempt, seen: Seen, step: Step]> = {
  "an empty composer is typed into": [attempted({}), [0, "waiting", shows("")], { kind: "type" }],
  "an agent at work is typed to as well": [attempted({}), [0, "thinking", shows("")], { kind: "type" }],
  "an agent that asks is not": [attempted({}), [0, "awaiting", null], { kind: "refuse-awaiting" }],
  "a draft is never merged": [
    attempted({}),
    [0, "waiting", shows("make it bl")],
    { kind: "refuse-draft", draft: "make it bl" },
  ],
  "a composer that is not drawn yet is waited for": [
    attempted({}),
    [0, "unknown", null],
    { kind: "wait", untilMs: 20_000 },
  ],
  "nothing is typed when it never is": [
    attempted({}),
    [20_000, "unknown", null],
    { kind: "end", outcome: { kind: "timeout" } },
  ],
  "the text has to settle": [
    typed({ shown: { draft: TEXT, sinceMs: 100 } }),
    [200, "waiting", shows(TEXT)],
    { kind: "wait", untilMs: 300 },
  ],
  "settled text is submitted, however its lines are wrapped": [
    typed({ shown: { draft: "refactor the par\nser and its\ntests", sinceMs: 100 } }),
    [300, "waiting", shows("refactor the par\nser and its\ntests")],
    { kind: "enter" },
  ],
  "a folded paste is submitted": [
    typed({ shown: { draft: "[Pasted text #1 +119 lines]", sinceMs: 100 } }),
    [300, "waiting", shows("[Pasted text #1 +119 lines]", true)],
    { kind: "enter" },
  ],
  "text that somebody typed into is not": [
    typed({ shown: { draft: `x${TEXT}`, sinceMs: 100 } }),
    [2_100, "waiting", shows(`x${TEXT}`)],
    { kind: "end", outcome: { kind: "staged", draft: `x${TEXT}` } },
  ],
  "a dialog before Enter is not answered by it": [
    typed(),
    [500, "awaiting", null],
    { kind: "end", outcome: { kind: "blocked" } },
  ],
  "what it asks about the paste itself is answered": [
    typed(),
    [500, "awaiting", null, 400, "Escape"],
    { kind: "answer-paste", key: "Escape" },
  ],
  "… also before its state says so": [
    typed(),
    [500, "waiting", null, 400, "Escape"],
    { kind: "answer-paste", key: "Escape" },
  ],
  "… once, and its dialog has a moment to go": [
    typed({ pasteAnsweredAtMs: 500 }),
    [600, "awaiting", null, 400, "Escape"],
    { kind: "wait", untilMs: 3_500 },
  ],
  "… and no longer": [
    typed({ pasteAnsweredAtMs: 500 }),
    [3_500, "awaiting", null, 400, "Escape"],
    { kind: "end", outcome: { kind: "blocked" } },
  ],
  "the dialog of somebody else's paste is not answered": [
    attempted({}),
    [500, "awaiting", null, 400, "Escape"],
    { kind: "refuse-awaiting" },
  ],
  "without a readable composer silence settles": [
    typed(),
    [900, "waiting", "unreadable", 500],
    { kind: "enter" },
  ],
  "an agent that is never silent is submitted to in the end": [
    typed(),
    [2_500, "thinking", "unreadable", 2_490],
    { kind: "enter" },
  ],
  "nothing is typed where the agent has left": [
    attempted({}),
    [500, null, "unreadable"],
    { kind: "wait", untilMs: 20_000 },
  ],
  "nor is Enter pressed there": [typed(), [900, null, "unreadable", 500], { kind: "wait", untilMs: 20_000 }],
  "work after Enter is the proof": [
    entered({ turnedToWork: true }),
    [1_100, "thinking", shows("")],
    { kind: "end", outcome: { kind: "accepted", evidence: "state" } },
  ],
  "work while the text still stands there is none": [
    entered({ turnedToWork: true }),
    [1_100, "thinking", shows(TEXT)],
    { kind: "wait", untilMs: 2_500 },
  ],
  "work under a dialog is none: the transcript is asked": [
    entered({ turnedToWork: true }),
    [2_500, "awaiting", null],
    { kind: "read-transcript" },
  ],
  "an Enter without effect is pressed again": [entered(), [2_500, "waiting", shows(TEXT)], { kind: "enter" }],
  "three may take effect late": [
    entered({ enters: 3 }),
    [2_500, "waiting", shows(TEXT), 2_000],
    { kind: "wait", untilMs: 20_000 },
  ],
  "in the end the text is staged": [
    entered({ enters: 3 }),
    [20_000, "waiting", shows(TEXT), 2_000],
    { kind: "end", outcome: { kind: "staged", draft: TEXT } },
  ],
  "a program that has drawn nothing since may not have read Enter yet": [
    entered({ enters: 3 }),
    [20_000, "waiting", shows(TEXT), 900],
    { kind: "end", outcome: { kind: "timeout" } },
  ],
  "another text in the composer is not the prompt that was submitted": [
    entered({ transcriptAtMs: 19_900 }),
    [20_000, "waiting", shows("a next thought"), 2_000],
    { kind: "end", outcome: { kind: "timeout" } },
  ],
  "the end of a draft that is too high for the composer is submitted": [
    typed({ shown: { draft: "and its tests", sinceMs: 100 } }),
    [300, "waiting", { draft: "and its tests", folded: false, clipped: true }],
    { kind: "enter" },
  ],
  "another end of it is not": [
    typed({ shown: { draft: "and its testsx", sinceMs: 100 } }),
    [2_100, "waiting", { draft: "and its testsx", folded: false, clipped: true }],
    { kind: "end", outcome: { kind: "staged", draft: "and its testsx" } },
  ],
  "the message in the transcript is the proof": [
    entered({ inTranscript: true, transcriptAtMs: 2_500 }),
    [2_600, "waiting", shows("")],
    { kind: "end", outcome: { kind: "accepted", evidence: "transcript" } },
  ],
  "a dialog that the transcript does not explain blocks": [
    entered({ transcriptAtMs: 2_500 }),
    [4_000, "awaiting", null],
    { kind: "read-transcript" },
  ],
  "nothing seen is a timeout": [
    entered({ transcriptAtMs: 19_900 }),
    [20_000, "waiting", shows("")],
    { kind: "end", outcome: { kind: "timeout" } },
  ],
};

test.each(Object.entries(cases))(
  "%s",
  (_title, [attempt, [nowMs, state, composer, lastOutputAtMs = 0, pasteKey = null], step]) => {
    const agent = state === null ? null : testAgent(state);
    expect(decide(attempt, { nowMs, agent, composer, pasteKey, lastOutputAtMs })).toEqual(step);
  },
);

test("a dialog that stays is reported between two looks at the transcript", () => {
  const look: Look = {
    nowMs: 4_100,
    agent: testAgent("awaiting"),
    composer: null,
    pasteKey: null,
    lastOutputAtMs: 0,
  };
  expect(decide(entered({ transcriptAtMs: 4_000 }), look)).toEqual({
    kind: "end",
    outcome: { kind: "blocked" },
  });
});

/** A TUI that does things late, loses keys, works by itself and opens dialogs. Times in ms. */
interface Tui {
  pasteMs: number;
  enterMs: number;
  entersLost: number;
  folds: boolean;
  /** The screen, and what padi knows of the state, lag behind. */
  screenLagMs: number;
  stateLagMs: number;
  worksByItselfAtMs: number | null;
  dialogAtMs: number | null;
  /** A person types into the composer. */
  typistAtMs: number | null;
}

const lag = (max: number) => fc.integer({ min: 1, max });
const moment = fc.option(fc.integer({ min: 0, max: 8_000 }), { nil: null });
const tuis: fc.Arbitrary<Tui> = fc.record({
  pasteMs: lag(4_000),
  enterMs: lag(20_000),
  entersLost: fc.integer({ min: 0, max: 4 }),
  folds: fc.boolean(),
  screenLagMs: lag(300),
  stateLagMs: lag(800),
  worksByItselfAtMs: moment,
  dialogAtMs: moment,
  typistAtMs: moment,
});

interface World {
  draft: string;
  state: AgentState;
  submitted: string | null;
}

/** Runs one attempt against the TUI in steps of 10 ms. */
function play(tui: Tui): { step: Step; world: World; enterIsDue: boolean } {
  const history: World[] = [];
  let world: World = { draft: "", state: "waiting", submitted: null };
  let attempt = newAttempt(TEXT, 15_000);
  let enterDueMs: number | null = null;
  let drawnAtMs = 0;
  for (let nowMs = 0; ; nowMs += 10) {
    const is = (atMs: number | null): boolean => atMs !== null && nowMs === Math.ceil(atMs / 10) * 10;
    if (is(tui.typistAtMs)) world = { ...world, draft: `${world.draft}x` };
    if (is(tui.worksByItselfAtMs) && world.state === "waiting") world = { ...world, state: "thinking" };
    if (is(tui.dialogAtMs)) world = { ...world, state: "awaiting" };
    if (attempt.typedAtMs !== null && is(attempt.typedAtMs + tui.pasteMs))
      world = { ...world, draft: world.draft + TEXT };
    if (enterDueMs !== null && is(enterDueMs)) {
      enterDueMs = null;
      if (attempt.enters > tui.entersLost && world.draft !== "" && world.state !== "awaiting")
        world = { draft: "", state: "thinking", submitted: world.draft };
    }
    if (world !== history.at(-1)) drawnAtMs = nowMs;
    history.push(world);
    const back = (ms: number): World => history[Math.max(0, history.length - 1 - Math.round(ms / 10))]!;
    const screen = back(tui.screenLagMs);
    const known = back(tui.stateLagMs);
    const before = back(tui.stateLagMs + 10);
    if (attempt.enteredAtMs !== null && known.state !== before.state)
      attempt =
        known.state === "thinking"
          ? { ...attempt, turnedToWork: attempt.turnedToWork || !attempt.workingAtEnter }
          : { ...attempt, workingAtEnter: false };
    const folded = tui.folds && screen.draft.includes(TEXT);
    const look: Look = {
      nowMs,
      agent: testAgent(known.state),
      composer: screen.state === "awaiting" ? null : shows(screen.draft, folded && screen.draft === TEXT),
      pasteKey: null,
      lastOutputAtMs: drawnAtMs,
    };
    attempt = noteComposer(attempt, look);
    const step = decide(attempt, look);
    switch (step.kind) {
      case "type":
        attempt = { ...attempt, typedAtMs: nowMs, shown: null };
        break;
      case "enter":
        attempt = {
          ...attempt,
          enteredAtMs: nowMs,
          enters: attempt.enters + 1,
          workingAtEnter: attempt.enters === 0 ? known.state === "thinking" : attempt.workingAtEnter,
        };
        enterDueMs = nowMs + tui.enterMs;
        break;
      case "read-transcript":
        attempt = {
          ...attempt,
          transcriptAtMs: nowMs,
          inTranscript: world.submitted?.includes(TEXT) ?? false,
        };
        break;
      case "wait":
        break;
      default:
        return { step, world, enterIsDue: enterDueMs !== null };
    }
  }
}

test("no receipt says more than is true, whatever the program does", () => {
  fc.assert(
    fc.property(tuis, (tui) => {
      const { step, world, enterIsDue } = play(tui);
      if (step.kind === "end" && step.outcome.kind === "accepted")
        expect(world.submitted ?? "nothing").toContain(TEXT);
      if (step.kind === "end" && step.outcome.kind === "staged" && tui.typistAtMs === null)
        expect(world.submitted).toBeNull();
      const drawsByItself = tui.worksByItselfAtMs ?? tui.dialogAtMs ?? tui.typistAtMs;
      if (step.kind === "end" && step.outcome.kind === "staged" && drawsByItself === null)
        expect(enterIsDue).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test("a program that loses no more than two Enters gets the prompt", () => {
  const patient = tuis.map((tui) => ({
    ...tui,
    entersLost: tui.entersLost % 3,
    enterMs: Math.min(tui.enterMs, 1_000),
    worksByItselfAtMs: null,
    dialogAtMs: null,
    typistAtMs: null,
  }));
  fc.assert(
    fc.property(patient, (tui) => {
      expect(play(tui).step).toMatchObject({ kind: "end", outcome: { kind: "accepted" } });
    }),
    { numRuns: 300 },
  );
});
