// What to do next about a prompt: one pure decision over what has been done and what is seen now. deliver.ts does it.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import type { AgentReading } from "@kolu/contract/agent.ts";
import { holdsPrompt } from "./holds.ts";

/** The same draft for this long has settled: an Enter sooner may be taken for a part of the paste. */
const SETTLE_MS = 200;
/** Of an agent whose composer cannot be read: silence for this long counts as settled ... */
const QUIET_MS = 400;
/** ... or this much time, because an agent at work is never silent. */
const QUIET_PATIENCE_MS = 2_500;
/** A draft that is not what we typed is given this long to become it. */
const FOREIGN_PATIENCE_MS = 2_000;
/** An Enter that had no effect for this long was lost: the text still stands there, so another does no harm. */
const ENTER_AGAIN_MS = 1_500;
const ENTERS_MAX = 3;
/** A state usually tells within this time; after it the agent's own transcript is asked, and again at this pace: nothing
 * tells us of its growth. */
const TRANSCRIPT_EVERY_MS = 1_500;
/** Between two looks at a transcript at least so many times what one look takes. */
const TRANSCRIPT_PAUSE_FACTOR = 4;
/** A dialog that opens at once may belong to the prompt or to what came before it: so long the transcript may tell. */
const DIALOG_PATIENCE_MS = 3_000;
/** What the agent asked about our own paste was answered: its dialog is given this long to go. */
const PASTE_DIALOG_GOES_MS = 3_000;

export interface Attempt {
  text: string;
  /** Epoch ms after which the caller wants an answer. */
  giveUpAtMs: number;
  typedAtMs: number | null;
  /** When it was answered what is to be done with our paste; null: that was not asked. */
  pasteAnsweredAtMs: number | null;
  /** The newest Enter. */
  enteredAtMs: number | null;
  enters: number;
  /** The agent was at work when Enter was pressed: that it works says nothing then. */
  workingAtEnter: boolean;
  /** Its state turned to working after Enter. */
  turnedToWork: boolean;
  /** Since when the composer has shown this. */
  shown: { draft: string; sinceMs: number } | null;
  /** When the transcript was last asked; null: not yet. */
  transcriptAtMs: number | null;
  /** How long it took to read: a long one is asked less often. */
  transcriptTookMs: number;
  /** It holds the message. */
  inTranscript: boolean;
}

export interface Look {
  nowMs: number;
  agent: AgentReading | null;
  /** `unreadable`: this agent's composer cannot be read at all. Null: there is none on the screen now. */
  composer: Composer | null | "unreadable";
  /** The key that answers what the agent asks about a paste of this text; null: it does not ask that now. */
  pasteKey: string | null;
  /** Epoch ms of the last output. */
  lastOutputAtMs: number;
}

export type Outcome =
  | { kind: "accepted"; evidence: "state" | "transcript" }
  | { kind: "staged"; draft: string }
  | { kind: "blocked" }
  | { kind: "timeout" };

export type Step =
  | { kind: "type" }
  | { kind: "enter" }
  | { kind: "answer-paste"; key: string }
  | { kind: "read-transcript" }
  /** News may come sooner. */
  | { kind: "wait"; untilMs: number }
  | { kind: "refuse-awaiting" }
  | { kind: "refuse-draft"; draft: string }
  | { kind: "end"; outcome: Outcome };

export function newAttempt(text: string, giveUpAtMs: number): Attempt {
  return {
    text,
    giveUpAtMs,
    typedAtMs: null,
    pasteAnsweredAtMs: null,
    enteredAtMs: null,
    enters: 0,
    workingAtEnter: false,
    turnedToWork: false,
    shown: null,
    transcriptAtMs: null,
    transcriptTookMs: 0,
    inTranscript: false,
  };
}

/** Remembers since when the composer has shown what it shows. */
export function noteComposer(attempt: Attempt, look: Look): Attempt {
  if (look.composer === null || look.composer === "unreadable") return { ...attempt, shown: null };
  const { draft } = look.composer;
  if (attempt.shown?.draft === draft) return attempt;
  return { ...attempt, shown: { draft, sinceMs: look.nowMs } };
}

export function decide(attempt: Attempt, look: Look): Step {
  if (attempt.typedAtMs === null) return beforeTyping(attempt, look);
  const step =
    attempt.enteredAtMs === null
      ? beforeEnter(attempt, look, attempt.typedAtMs)
      : afterEnter(attempt, look, attempt.enteredAtMs);
  return orGiveUp(step, attempt, look);
}

function beforeTyping(attempt: Attempt, look: Look): Step {
  if (look.agent?.bucket === "awaiting") return { kind: "refuse-awaiting" };
  // It has left: a shell would run what is typed.
  if (look.agent === null) return orGiveUp(waitFor(attempt), attempt, look);
  if (look.composer === "unreadable") return { kind: "type" };
  // The agent is still drawing itself, or shows something in the composer's place.
  if (look.composer === null) return orGiveUp(waitFor(attempt), attempt, look);
  return look.composer.draft === "" ? { kind: "type" } : { kind: "refuse-draft", draft: look.composer.draft };
}

function beforeEnter(attempt: Attempt, look: Look, typedAtMs: number): Step {
  const { nowMs, composer, pasteKey } = look;
  const { pasteAnsweredAtMs } = attempt;
  if (pasteKey !== null && pasteAnsweredAtMs === null) return { kind: "answer-paste", key: pasteKey };
  if (look.agent?.bucket === "awaiting") {
    const goesAtMs = (pasteAnsweredAtMs ?? Number.NEGATIVE_INFINITY) + PASTE_DIALOG_GOES_MS;
    // Another dialog would take the Enter for its answer.
    return nowMs < goesAtMs ? { kind: "wait", untilMs: goesAtMs } : end({ kind: "blocked" });
  }
  // It has left: a shell would run what Enter submits.
  if (look.agent === null) return waitFor(attempt);
  if (composer === "unreadable") {
    const settledAtMs = Math.min(
      Math.max(typedAtMs, look.lastOutputAtMs) + QUIET_MS,
      typedAtMs + QUIET_PATIENCE_MS,
    );
    return nowMs >= settledAtMs ? { kind: "enter" } : { kind: "wait", untilMs: settledAtMs };
  }
  if (composer === null || composer.draft === "" || attempt.shown === null) return waitFor(attempt);
  const ours = holdsPrompt(composer, attempt.text);
  const settledAtMs = attempt.shown.sinceMs + (ours ? SETTLE_MS : FOREIGN_PATIENCE_MS);
  if (nowMs < settledAtMs) return { kind: "wait", untilMs: settledAtMs };
  // Somebody typed in between: submitting would merge the two.
  return ours ? { kind: "enter" } : end({ kind: "staged", draft: composer.draft });
}

function afterEnter(attempt: Attempt, look: Look, enteredAtMs: number): Step {
  const { nowMs, composer } = look;
  if (attempt.inTranscript) return end({ kind: "accepted", evidence: "transcript" });
  const stands = composer !== null && composer !== "unreadable" && composer.draft !== "";
  if (stands && holdsPrompt(composer, attempt.text)) {
    const againAtMs = enteredAtMs + ENTER_AGAIN_MS;
    if (nowMs < againAtMs) return { kind: "wait", untilMs: againAtMs };
    if (look.agent?.bucket === "awaiting") return end({ kind: "blocked" });
    // A program that is busy takes them later: that they had no effect is certain only in the end.
    return attempt.enters < ENTERS_MAX ? { kind: "enter" } : waitFor(attempt);
  }
  // An agent may go to work by itself while the prompt still stands there: only an empty composer is proof.
  if (attempt.turnedToWork && composer !== null && !stands)
    return end({ kind: "accepted", evidence: "state" });
  const pauseMs = Math.max(TRANSCRIPT_EVERY_MS, TRANSCRIPT_PAUSE_FACTOR * attempt.transcriptTookMs);
  const askAtMs = (attempt.transcriptAtMs ?? enteredAtMs) + pauseMs;
  if (nowMs >= askAtMs) return { kind: "read-transcript" };
  if (look.agent?.bucket === "awaiting" && nowMs >= enteredAtMs + DIALOG_PATIENCE_MS)
    return end({ kind: "blocked" });
  return { kind: "wait", untilMs: askAtMs };
}

function orGiveUp(step: Step, attempt: Attempt, look: Look): Step {
  if (step.kind !== "wait") return step;
  if (look.nowMs < attempt.giveUpAtMs)
    return { kind: "wait", untilMs: Math.min(step.untilMs, attempt.giveUpAtMs) };
  const draft = stagedDraft(attempt, look);
  return end(draft === null ? { kind: "timeout" } : { kind: "staged", draft });
}

/** What certainly stands there unsubmitted: an Enter may still be on its way to a program that has drawn nothing since. */
function stagedDraft({ text, enteredAtMs }: Attempt, look: Look): string | null {
  const { composer, lastOutputAtMs, nowMs } = look;
  if (composer === null || composer === "unreadable" || composer.draft === "") return null;
  if (enteredAtMs === null) return composer.draft;
  // What it draws just now may be its answer.
  const answered = lastOutputAtMs > enteredAtMs && nowMs >= lastOutputAtMs + QUIET_MS;
  return answered && holdsPrompt(composer, text) ? composer.draft : null;
}

function waitFor({ giveUpAtMs }: Attempt): Step {
  return { kind: "wait", untilMs: giveUpAtMs };
}

function end(outcome: Outcome): Step {
  return { kind: "end", outcome };
}
