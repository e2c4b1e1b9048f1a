// All that OpenCode says at once, weighed: in band, its database, its title, the screen, in this order of belief. Pure: what
// was read and live signals in, a report out. The facts behind each rule are in README.md.
import { believe, type Claim } from "@kolu/anyagent/believe.ts";
import { inBandClaim } from "@kolu/anyagent/in-band.ts";
import { screenClaim } from "@kolu/anyagent/outcome.ts";
import type { LiveSignals, SessionReport } from "@kolu/anyagent/plugin.ts";
import { bucketOf, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import type { Conversation, Phase } from "./fold.ts";
import { givenTitle, type SessionRow, terminalTitleOf } from "./records.ts";
import { BUSY_LINE, IDLE_COMPOSER, START_PAGE } from "./screen.ts";

/** What was last read of a session. */
export interface OpencodeFacts {
  sessionId: string;
  databasePath: string;
  /** When the terminal's agent started, within a second; null when it cannot be told. */
  processStartedAtMs: number | null;
  /** Null before the first reading, or when the row is gone. */
  session: SessionRow | null;
  conversation: Conversation;
  todos: { completed: number; total: number } | null;
  malformedRecords: number;
  /** Why the last reading failed; what was read before it stands. */
  fault: string | null;
}

/** Between a round of tool calls and the next request's row pass 7 to 30 ms on a quiet machine, 65 at a load of eight
 * (measured on 1.18.33). After this no request follows. */
const NEXT_REQUEST_MS = 1_000;
/** The same after a refusal, which only `experimental.continue_loop_on_deny` goes on after. */
const AFTER_REFUSAL_MS = 250;
/** Between a prompt and the row of its answer pass 17 to 230 ms, more than two seconds at a load of sixteen, and the composer
 * shows no work before that row. A prompt that stays alone for longer may have failed before any request (no such model),
 * which leaves no trace but an idle composer. */
const UNANSWERED_MS = 5_000;
/** Process starts are known within a second. */
const START_SLACK_MS = 1_000;

export function judge(facts: OpencodeFacts, live: LiveSignals): SessionReport {
  const { session, conversation } = facts;
  const inBand = inBandClaim(live.inBand);
  const claims = [
    ...(inBand === null ? [] : [inBand]),
    databaseClaim(facts, live),
    ...titleClaims(facts, live),
    ...screenClaims(conversation.phase, live),
  ];
  const belief = believe(claims);
  const state = belief?.state ?? "unknown";
  const { phase } = conversation;
  return {
    state,
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason: belief === null ? unknownReason(facts) : null,
    error: phase.kind === "over" && bucketOf(state) === "waiting" ? phase.error : null,
    sessionId: facts.sessionId,
    sessionPath: facts.databasePath,
    version: session?.version ?? null,
    model: conversation.model,
    contextTokens: conversation.contextTokens,
    title: givenTitle(session?.title ?? ""),
    todos: facts.todos,
    background: NO_BACKGROUND,
    startedAtMs: session?.createdAtMs ?? null,
    prompted: conversation.prompted,
    signals: belief?.signals ?? claims.map(silent),
    missing: facts.fault === null ? [] : [facts.fault],
    malformedRecords: facts.malformedRecords,
    wantsScreen: live.inBand.length === 0 && wantsScreen(facts, live.nowMs),
    holdsForMs: holdsForMs(facts, live.nowMs),
  };
}

function silent({ source, value, state, atMs, note }: Claim): SessionReport["signals"][number] {
  return { source, value, state, atMs, verdict: "silent", note: note ?? null };
}

// ---- the database

function databaseClaim(facts: OpencodeFacts, live: LiveSignals): Claim {
  const { phase, newest } = facts.conversation;
  const atMs = phase.kind === "none" ? null : phase.atMs;
  const claim: Claim = { source: "transcript", value: newest ?? "no message yet", state: null, atMs };
  if (facts.session === null) return claim;
  if (isLeftOpen(facts)) {
    return { ...claim, state: "waiting", atMs: null, note: "left open by a process that was killed" };
  }
  switch (phase.kind) {
    case "none":
      return claim;
    case "prompted": {
      const idle = isOverdue(phase, live.nowMs) && live.screen?.name === IDLE_COMPOSER;
      const ignoredBecause = "the prompt has had no answer, and the composer shows nothing running";
      return { ...claim, state: "thinking", ...(idle ? { ignoredBecause } : {}) };
    }
    case "answering":
      return { ...claim, state: "thinking" };
    case "tools": {
      // A gate looks like a running call: whether one is shown is for the screen to say.
      const gated = live.screen?.state === "awaiting" && live.screen.awaiting?.kind !== "dialog";
      const ignoredBecause = "a call that waits at a gate looks the same here as one that runs";
      return { ...claim, state: "tool_use", ...(gated ? { ignoredBecause } : {}) };
    }
    case "asking":
      return { ...claim, state: "awaiting", awaiting: { kind: phase.what, message: phase.call.about } };
    case "between": {
      if (!isOverdue(phase, live.nowMs)) return { ...claim, state: "thinking" };
      const busy = live.screen?.name === BUSY_LINE;
      const ignoredBecause = "no request has followed yet, but the screen shows work";
      return { ...claim, state: "waiting", ...(busy ? { ignoredBecause } : {}) };
    }
    case "over":
      return { ...claim, state: "waiting" };
    default:
      return phase satisfies never;
  }
}

/** Work that was under way when an earlier process was killed stays so on disk for ever. */
function isLeftOpen({ conversation: { phase }, processStartedAtMs }: OpencodeFacts): boolean {
  if (phase.kind === "none" || phase.kind === "over" || processStartedAtMs === null) return false;
  return phase.atMs < processStartedAtMs - START_SLACK_MS;
}

// ---- what only time or the screen tells

type Pending = Extract<Phase, { kind: "between" | "prompted" }>;

function overdueAtMs(phase: Pending): number {
  if (phase.kind === "prompted") return phase.atMs + UNANSWERED_MS;
  return phase.atMs + (phase.refused ? AFTER_REFUSAL_MS : NEXT_REQUEST_MS);
}

function isOverdue(phase: Pending, nowMs: number): boolean {
  return nowMs >= overdueAtMs(phase);
}

function holdsForMs({ conversation: { phase } }: OpencodeFacts, nowMs: number): number | null {
  if (phase.kind !== "between" && phase.kind !== "prompted") return null;
  const inMs = overdueAtMs(phase) - nowMs;
  return inMs > 0 ? inMs : null;
}

function wantsScreen(facts: OpencodeFacts, nowMs: number): boolean {
  const { phase } = facts.conversation;
  if (isLeftOpen(facts)) return false;
  if (phase.kind === "none" || phase.kind === "tools") return true;
  return (phase.kind === "between" || phase.kind === "prompted") && isOverdue(phase, nowMs);
}

// ---- title and screen

/** The title has no state in it, but it names the session that is shown. */
function titleClaims({ session }: OpencodeFacts, { title }: LiveSignals): Claim[] {
  if (title === null || session === null || !title.startsWith("OC | ")) return [];
  const shown = title === terminalTitleOf(session.title);
  const note = shown ? "names this session" : `names another session than "${session.title}"`;
  return [{ source: "title", value: title, state: null, atMs: null, note }];
}

function screenClaims(phase: Phase, { screen }: LiveSignals): Claim[] {
  if (screen === null) return [];
  const claim = screenClaim(screen);
  // A list that the person opened while calls run takes their keys, but nothing waits for it.
  const list = screen.awaiting?.kind === "dialog" && phase.kind !== "none";
  if (list) return [{ ...claim, ignoredBecause: "a list that the person opened is in front of the work" }];
  if (screen.name === START_PAGE && phase.kind !== "none") {
    return [{ ...claim, ignoredBecause: "the start page belongs to no session" }];
  }
  return [screen.state === "thinking" ? { ...claim, coarse: true } : claim];
}

function unknownReason({ session, sessionId, databasePath, fault }: OpencodeFacts): string {
  if (fault !== null) return fault;
  if (session === null) return `session ${sessionId} is not in ${databasePath} (any more)`;
  return "its session has no message yet";
}
