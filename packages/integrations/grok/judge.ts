// All that one session of Grok Build says, weighed: its events, the terminal's title, the screen. Pure. The facts behind
// each rule are in README.md.
import { basename } from "node:path";
import { believe, type Claim } from "@kolu/anyagent/believe.ts";
import { inBandClaim } from "@kolu/anyagent/in-band.ts";
import { screenClaim } from "@kolu/anyagent/outcome.ts";
import type { LiveSignals, SessionReport } from "@kolu/anyagent/plugin.ts";
import { bucketOf } from "@kolu/contract/agent.ts";
import type { Pending, Turn, UpdateFacts } from "./fold.ts";
import type { Subagent, Summary, Todos } from "./records.ts";
import type { SubagentFacts } from "./subagents.ts";

/** What a session's files hold now. */
export interface GrokFiles {
  dir: string;
  /** Nothing but its directory ties it to the terminal: its process may still be in a dialog before any session. */
  guessed: boolean;
  /** When the agent's process started; null when it is not known. */
  processStartedAtMs: number | null;
  /** There is a file of events, be it empty. */
  found: boolean;
  turn: Turn;
  updates: UpdateFacts;
  summary: Summary | null;
  contextTokens: number | null;
  todos: Todos | null;
  subagents: SubagentFacts;
  malformedRecords: number;
}

/** Every call asks; one that a rule allows is answered within 11 ms (the most that was seen on a busy machine, 1.0.41). */
const PASSES_WITHIN_MS = 250;
/** A cancelled request leaves no record. The screen is believed against the file once the request is this old: until then
 * it may show what was before it. */
const CANCELLED_AFTER_MS = 700;
/** A sub-agent's end is followed by a turn of the parent's 22 ms later (1.0.41): no moment of rest in between. */
const TURN_FOLLOWS_WITHIN_MS = 500;
/** Compaction is a turn that writes no events. The screen is believed against them only this long after the last: until then
 * it may show the turn before. */
const AT_REST_AFTER_MS = 1_500;
/** Calls that wait for a person by their nature, and what for. Allowed by a rule like any other, so no prompt is recorded. */
const ASKING_TOOLS: Readonly<Record<string, string>> = {
  ask_user_question: "question",
  exit_plan_mode: "plan",
};

export function judge(files: GrokFiles, live: LiveSignals): SessionReport {
  const { turn, summary, dir, updates } = files;
  const inBand = inBandClaim(live.inBand);
  const { claim, holdsForMs } = eventsClaim(files, live);
  const screen = live.screen === null ? [] : [screenClaim(live.screen)];
  const dialogFirst = files.guessed && live.screen?.state === "awaiting";
  const claims = [
    ...(inBand === null ? [] : [inBand]),
    ...(dialogFirst ? screen : []),
    ...gateOfChildren(files, live),
    claim,
    // Before there are events, the title may be of a process before this one.
    ...(files.found ? titleClaims(live) : []),
    ...(dialogFirst ? [] : screen),
  ];
  const belief = believe(claims);
  const state = belief?.state ?? "unknown";
  return {
    state,
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason: belief === null ? `${dir}/events.jsonl is not there yet` : null,
    error: bucketOf(state) === "waiting" ? errorOf(files) : null,
    sessionId: summary?.sessionId ?? basename(dir),
    sessionPath: dir,
    version: null,
    model: summary?.model ?? turn.model,
    contextTokens: files.contextTokens,
    title: summary?.title ?? null,
    todos: files.todos,
    background: {
      workflows: [],
      agents: childrenOf(files).map(({ name }) => ({ name })),
      shells: updates.tasks.filter((task) => isOfProcess(task, files)).length,
    },
    startedAtMs: summary?.createdAtMs ?? null,
    prompted: turn.at !== "none",
    signals: belief?.signals ?? [],
    missing: files.found ? [] : [`${dir}/events.jsonl is not there`],
    malformedRecords: files.malformedRecords,
    wantsScreen: wantsScreen(files, live),
    holdsForMs,
  };
}

/** What an earlier process left running ended with it, although nobody wrote that down. */
function isOfProcess(
  { startedAtMs }: { startedAtMs: number | null },
  { processStartedAtMs }: GrokFiles,
): boolean {
  return startedAtMs === null || processStartedAtMs === null || startedAtMs >= processStartedAtMs - 2_000;
}

function childrenOf(files: GrokFiles): Subagent[] {
  return files.subagents.running.filter((subagent) => isOfProcess(subagent, files));
}

function errorOf({ turn, updates }: GrokFiles): string | null {
  if (turn.outcome !== "error") return null;
  return updates.error ?? "the turn ended with an error, which Grok shows on its screen only";
}

// ---- events

function eventsClaim(files: GrokFiles, live: LiveSignals): { claim: Claim; holdsForMs: number | null } {
  const { turn, found } = files;
  const base: Claim = {
    source: "transcript",
    value: turn.newest ?? (found ? "no turn yet" : "no events yet"),
    state: null,
    atMs: turn.newestAtMs,
  };
  if (!found) return { claim: base, holdsForMs: null };
  if (turn.at !== "open") return restClaim(base, files, live);
  const asked = askedBy(files);
  if (asked !== null) return askingClaim(base, asked, live.nowMs);
  if (isInTools(turn)) return { claim: { ...base, state: "tool_use" }, holdsForMs: null };
  return modelClaim({ ...base, state: "thinking" }, turn, live);
}

function restClaim(
  base: Claim,
  files: GrokFiles,
  live: LiveSignals,
): { claim: Claim; holdsForMs: number | null } {
  if (childrenOf(files).length > 0) return { claim: { ...base, state: "background" }, holdsForMs: null };
  const followsInMs = (files.subagents.endedAtMs ?? 0) + TURN_FOLLOWS_WITHIN_MS - live.nowMs;
  const endedSince = (files.subagents.endedAtMs ?? 0) > (files.turn.newestAtMs ?? 0);
  if (endedSince && followsInMs > 0 && followsInMs <= TURN_FOLLOWS_WITHIN_MS) {
    const note = "a sub-agent has just ended, and a turn follows in a moment";
    return { claim: { ...base, state: "background", note }, holdsForMs: followsInMs };
  }
  const claim: Claim = { ...base, state: "waiting" };
  if (!hasSpinner(live.title)) return { claim, holdsForMs: null };
  const restInMs = restsInMs(files, live);
  if (restInMs > 0) return { claim, holdsForMs: restInMs };
  if (live.screen?.state !== "thinking") return { claim, holdsForMs: null };
  const ignoredBecause = "the screen shows work that writes no events, such as a compaction";
  return { claim: { ...claim, ignoredBecause }, holdsForMs: null };
}

function restsInMs({ turn }: GrokFiles, { nowMs }: LiveSignals): number {
  const inMs = (turn.newestAtMs ?? 0) + AT_REST_AFTER_MS - nowMs;
  return inMs <= AT_REST_AFTER_MS ? Math.max(0, inMs) : 0;
}

/** The events leave room for what only the screen tells. */
function wantsScreen(files: GrokFiles, live: LiveSignals): boolean {
  const { turn, found } = files;
  if (!found || files.guessed || isAtModel(turn)) return true;
  return turn.at !== "open" && hasSpinner(live.title) && restsInMs(files, live) === 0;
}

interface Asked extends Pending {
  kind: string;
  message: string | null;
}

/** What of the open turn waits for a person. */
function askedBy({ turn, updates }: GrokFiles): Asked | null {
  const question = turn.openTools.find(({ tool }) => tool in ASKING_TOOLS);
  if (question !== undefined) {
    return { ...question, kind: ASKING_TOOLS[question.tool]!, message: updates.about };
  }
  const gate = turn.asked[0];
  if (gate === undefined) return null;
  return {
    ...gate,
    kind: "permission",
    message: updates.about === null ? gate.tool : `${gate.tool}: ${updates.about}`,
  };
}

function askingClaim(base: Claim, asked: Asked, nowMs: number): { claim: Claim; holdsForMs: number | null } {
  const inMs = (asked.atMs ?? 0) + PASSES_WITHIN_MS - nowMs;
  // A clock that was set back must not keep a person waiting for ever.
  if (inMs > 0 && inMs <= PASSES_WITHIN_MS) {
    const note = "it may be answered by a rule in a moment";
    return { claim: { ...base, state: "tool_use", note }, holdsForMs: inMs };
  }
  const { kind, message } = asked;
  return { claim: { ...base, state: "awaiting", awaiting: { kind, message } }, holdsForMs: null };
}

function isInTools({ openTools, phase }: Turn): boolean {
  return openTools.length > 0 || phase === "tool_execution" || phase === "permission_prompt";
}

/** The model was asked and has not begun to answer. */
function isAtModel(turn: Turn): boolean {
  return turn.at === "open" && turn.openTools.length === 0 && turn.phase === "waiting_for_model";
}

/** Ctrl+C before the first token writes nothing at all: the file stands at the request until the next prompt, the title
 * with its spinner too. The composer at rest on the screen is the only word of it. */
function modelClaim(
  claim: Claim,
  turn: Turn,
  live: LiveSignals,
): { claim: Claim; holdsForMs: number | null } {
  if (!isAtModel(turn) || live.screen?.state !== "waiting") return { claim, holdsForMs: null };
  const inMs = (turn.newestAtMs ?? 0) + CANCELLED_AFTER_MS - live.nowMs;
  if (inMs > 0 && inMs <= CANCELLED_AFTER_MS) return { claim, holdsForMs: inMs };
  const ignoredBecause = "the request was cancelled before its answer, which Grok does not record";
  return { claim: { ...claim, ignoredBecause }, holdsForMs: null };
}

// ---- the title

const ACTION_REQUIRED = /^⚠ Action Required\b/;
const SPINNER = /^[⠀-⣿] - /;

/** A spinner stays after a cancelled request and after an error: it tells nothing by itself. */
function titleClaims({ title }: LiveSignals): Claim[] {
  if (title === null) return [];
  const claim: Claim = { source: "title", value: title, state: null, atMs: null };
  if (ACTION_REQUIRED.test(title)) {
    return [{ ...claim, state: "awaiting", awaiting: { kind: "permission", message: null } }];
  }
  return [{ ...claim, note: hasSpinner(title) ? "a spinner may be left behind" : "no spinner" }];
}

function hasSpinner(title: string | null): boolean {
  return title !== null && SPINNER.test(title);
}

/** A sub-agent's gate is in its own events; the parent's say nothing of it, its title does. */
function gateOfChildren(files: GrokFiles, live: LiveSignals): Claim[] {
  const child = childrenOf(files)[0];
  const isAsked = live.title !== null && ACTION_REQUIRED.test(live.title);
  if (!isAsked || child === undefined || files.turn.asked.length > 0) return [];
  const awaiting = { kind: "permission", message: `asked by ${child.name}` };
  const value = "the title says that action is required, for a sub-agent";
  return [{ source: "title", value, state: "awaiting", awaiting, atMs: null }];
}
