// From what is known of one terminal to what is published about it. Pure.
import { type AgentReading, bucketOf, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import { type ProgramRecord, rollUp } from "@kolu/contract/program-status.ts";
import { believe, type Claim } from "./believe.ts";
import type { DetectionOutcome, TerminalSignals } from "./detector.ts";
import { inBandClaim, splitByApp } from "./in-band.ts";
import type { LiveSignals, ScreenFinding, SessionReport } from "./plugin.ts";
import type { ProcessEntry } from "./process-tree.ts";
import type { Recognised } from "./recognise.ts";
import type { AgentVocab } from "./vocab.ts";

/** The clock of /proc starts at a whole second and drifts a little: a record this much older than a process is its own. */
const START_SLACK_MS = 2_000;

/**
 * The agent's own in-band words: under its app names, and not left behind by a process before it.
 * @param leftAtMs per app, when an agent of that name was last seen to end in this terminal
 */
export function ownRecords(
  records: readonly ProgramRecord[],
  vocab: AgentVocab,
  process: ProcessEntry | null,
  leftAtMs: ReadonlyMap<string, number>,
): ProgramRecord[] {
  const startedAtMs = process?.startedAtMs == null ? 0 : process.startedAtMs - START_SLACK_MS;
  return splitByApp(records, vocab.apps).own.filter(
    (record) => record.updatedAtMs >= startedAtMs && record.updatedAtMs > (leftAtMs.get(record.app!) ?? 0),
  );
}

/**
 * The record of programs that report in band and are not the recognised agent.
 * @param agent whose words they are not: the bound or recognised agent's vocabulary
 * @param leftAtMs per app, when an agent of that name was last seen to end here: what it said before is no news
 */
export function programOf(
  signals: TerminalSignals,
  agent: AgentVocab | null,
  vocabs: readonly AgentVocab[],
  leftAtMs: ReadonlyMap<string, number>,
): ProgramRecord | null {
  const agentApps = vocabs.flatMap((vocab) => vocab.apps);
  const counts = (record: ProgramRecord): boolean => {
    if (record.app === null || !agentApps.includes(record.app)) return true;
    if (agent?.apps.includes(record.app)) return false;
    // An agent that we cannot see as a process (behind ssh, in a container) still speaks; one that has ended does not,
    // although its last `done` outlives it.
    if (signals.atPrompt) return false;
    const startedAtMs = signals.command?.running ? signals.command.startedAtMs : 0;
    return record.updatedAtMs >= startedAtMs && record.updatedAtMs > (leftAtMs.get(record.app) ?? 0);
  };
  return rollUp(signals.program.filter(counts));
}

/** An agent without a session: what it says in band or shows, else an honest unknown. */
export function unboundReport(recognised: Recognised, live: LiveSignals, missing: string[]): SessionReport {
  const claims: Claim[] = [];
  const inBand = inBandClaim(live.inBand);
  if (inBand !== null) claims.push(inBand);
  if (live.screen !== null) claims.push(screenClaim(live.screen));
  const belief = believe(claims);
  const name = recognised.vocab.displayName;
  return {
    state: belief?.state ?? "unknown",
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason:
      belief === null ? (missing[0] ?? `no session of ${name} was found for this terminal yet`) : null,
    error: live.inBand.find((record) => record.id === "" && record.state === "error")?.message ?? null,
    sessionId: null,
    sessionPath: null,
    version: null,
    model: null,
    contextTokens: null,
    title: null,
    todos: null,
    background: NO_BACKGROUND,
    startedAtMs: recognised.process?.startedAtMs ?? null,
    prompted: false,
    signals: belief?.signals ?? [],
    missing,
    malformedRecords: 0,
    wantsScreen: true,
    holdsForMs: null,
  };
}

export function screenClaim(finding: ScreenFinding): Claim {
  return {
    source: "screen",
    value: finding.name,
    state: finding.state,
    ...(finding.awaiting === null ? {} : { awaiting: finding.awaiting }),
    atMs: null,
  };
}

/** Completes a report into a reading. `sinceMs` is kept while the state of the same session lasts. */
export function readingOf(
  report: SessionReport,
  agent: { vocab: AgentVocab; pid: number | null },
  before: AgentReading | null,
  nowMs: number,
): AgentReading {
  const same = before !== null && before.pid === agent.pid && before.sessionId === report.sessionId;
  const lasting = same && before.state === report.state;
  // The deciding signal knows better than we when the state began, unless it was already deciding the state before.
  const signalled = report.atMs !== null && (!same || report.atMs > before.sinceMs) ? report.atMs : nowMs;
  return {
    kind: agent.vocab.kind,
    state: report.state,
    bucket: bucketOf(report.state),
    sinceMs: lasting ? before.sinceMs : Math.min(signalled, nowMs),
    source: report.source,
    awaiting: report.awaiting,
    unknownReason: report.unknownReason,
    error: report.error,
    pid: agent.pid,
    sessionId: report.sessionId,
    sessionPath: report.sessionPath,
    version: report.version,
    model: report.model,
    contextTokens: report.contextTokens,
    title: report.title,
    todos: report.todos,
    background: report.background,
    startedAtMs: report.startedAtMs,
    prompted: report.prompted,
  };
}

/** Two outcomes that no face could tell apart. Both are plain data with their fields in one fixed order. */
export function sameOutcome(left: DetectionOutcome, right: DetectionOutcome): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
