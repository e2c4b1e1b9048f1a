// All that Codex says at once, weighed: in band, rollout, title, screen, in this order of belief. Pure: files and live signals
// in, a report out. The facts behind each rule are in README.md.
import { believe, type Claim } from "@kolu/anyagent/believe.ts";
import { inBandClaim } from "@kolu/anyagent/in-band.ts";
import { screenClaim } from "@kolu/anyagent/outcome.ts";
import type { LiveSignals, SessionReport } from "@kolu/anyagent/plugin.ts";
import { bucketOf } from "@kolu/contract/agent.ts";
import type { LiveAgent, OpenCall, Thread } from "./fold.ts";
import { aboutOf, madeAtMs, type ThreadRow } from "./records.ts";

/** What a thread's files hold now. */
export interface ThreadFiles {
  threadId: string;
  /** From the database; null before the first prompt, and while the database cannot be read. */
  row: ThreadRow | null;
  rolloutPath: string | null;
  rolloutFound: boolean;
  thread: Thread;
  malformedRecords: number;
  /** Why the database could not be read. */
  databaseFault: string | null;
  /** Start of the terminal's own process; null when it is not known. */
  processStartedAtMs: number | null;
}

/** Calls that wait for a person by their nature, and what for. */
const ASKING_TOOLS: Readonly<Record<string, string>> = {
  request_user_input: "question",
  request_permissions: "permission",
  request_plugin_install: "permission",
};
/** In its default mode Codex refuses `request_user_input` by itself, 7 ms after it was written. */
const ASKS_AFTER_MS = 150;

export function judge(files: ThreadFiles, live: LiveSignals): SessionReport {
  const { thread, row } = files;
  const agents = liveAgents(files);
  const inBand = inBandClaims(live, thread, agents);
  const title = titleClaims(live);
  const screen = live.screen === null ? [] : [screenClaim(live.screen)];
  const spoken = inBand.find((claim) => claim.ignoredBecause === undefined);
  const gated = (spoken === undefined ? [...title, ...screen] : [spoken]).some(isAwaiting);
  const asksInMs = gated ? null : asksIn(thread.openCalls, live.nowMs);
  const rollout = rolloutClaim(files, { gated, settled: asksInMs === null, agents });
  const claims = [...inBand, rollout, ...title, ...screen];
  const belief = believe(claims);
  const state = belief?.state ?? "unknown";
  const root = live.inBand.find((record) => record.id === "");
  const error = root?.state === "error" ? (root.message ?? thread.error) : thread.error;
  return {
    state,
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason: belief === null ? unknownReason(files) : null,
    error: bucketOf(state) === "waiting" ? error : null,
    // A thread can be resumed once it has had a prompt: before that its id names nothing that lasts.
    sessionId: row !== null || files.rolloutFound ? files.threadId : null,
    sessionPath: files.rolloutFound ? files.rolloutPath : null,
    version: row?.version ?? null,
    model: thread.model ?? row?.model ?? null,
    contextTokens: thread.contextTokens,
    title: row?.title ?? null,
    todos: null,
    background: {
      workflows: [],
      agents: agents.map((agent) => ({ name: agent.name ?? "agent" })),
      shells: 0,
    },
    startedAtMs: row?.createdAtMs ?? madeAtMs(files.threadId),
    prompted: thread.turn !== "none" || row?.prompted === true,
    signals: belief?.signals ?? claims.map(silent),
    missing: missingOf(files),
    malformedRecords: files.malformedRecords,
    // In band an idle Codex may have a dialog open; a working or a blocked one has said all.
    wantsScreen: root === undefined || root.state === "idle" || root.state === "done",
    holdsForMs: asksInMs,
  };
}

function silent(claim: Claim): SessionReport["signals"][number] {
  const { source, value, state, atMs } = claim;
  return { source, value, state, atMs, verdict: "silent", note: claim.note ?? null };
}

function isAwaiting(claim: Claim): boolean {
  return claim.state === "awaiting";
}

/** A sub-agent lives in the server, but what an earlier process left behind was not seen to end. */
function liveAgents({ thread, processStartedAtMs }: ThreadFiles): LiveAgent[] {
  return thread.agents.filter((agent) => (agent.spawnedAtMs ?? 0) >= (processStartedAtMs ?? 0));
}

// ---- in band

function inBandClaims(live: LiveSignals, thread: Thread, agents: readonly LiveAgent[]): Claim[] {
  const claim = inBandClaim(live.inBand);
  if (claim === null) return [];
  const ignoredBecause = whyIgnored(claim, live, thread, agents);
  return [ignoredBecause === null ? claim : { ...claim, ignoredBecause }];
}

function whyIgnored(
  claim: Claim,
  { inBand, screen }: LiveSignals,
  thread: Thread,
  agents: readonly LiveAgent[],
): string | null {
  if (claim.state !== "waiting") return null;
  if (screen?.state === "awaiting") {
    return "a dialog is open, and dialogs outside a turn are not reported in band";
  }
  const failed = inBand.some((record) => record.id === "" && record.state === "error");
  if (thread.turn === "over" && agents.length > 0 && !failed) {
    return "sub-agents run on behind the ended turn, which is not reported in band";
  }
  return null;
}

// ---- the rollout

interface Circumstances {
  /** Something more believable than the rollout says that a person is asked. */
  gated: boolean;
  /** What asks has stood long enough to be no refusal. */
  settled: boolean;
  agents: readonly LiveAgent[];
}

function rolloutClaim(files: ThreadFiles, circumstances: Circumstances): Claim {
  const { thread } = files;
  const claim: Claim = {
    source: "transcript",
    value: thread.newest === null ? "nothing said yet" : `newest: ${thread.newest}`,
    state: null,
    atMs: thread.newestAtMs,
  };
  if (thread.turn === "open") {
    const told = openTurn(thread.openCalls, circumstances);
    return told.state !== "awaiting" && circumstances.gated
      ? { ...claim, ...told, ...NOT_SHOWN }
      : { ...claim, ...told };
  }
  const ended: Claim = { ...claim, ...endedTurn(files, circumstances.agents) };
  return circumstances.gated && ended.state !== null ? { ...ended, ...NOT_SHOWN } : ended;
}

const NOT_SHOWN = { ignoredBecause: "a dialog is open, and dialogs do not show in the rollout" };

function openTurn(
  calls: readonly OpenCall[],
  { gated, settled }: Circumstances,
): Pick<Claim, "state" | "awaiting"> {
  const call = calls[0];
  if (call === undefined) return { state: "thinking" };
  const asking = calls.every((one) => one.name in ASKING_TOOLS);
  if (!gated && !(asking && settled)) return { state: "tool_use" };
  const about = aboutOf(call);
  const kind = ASKING_TOOLS[call.name] ?? "permission";
  if (asking) return { state: "awaiting", awaiting: { kind, message: about ?? call.name } };
  return {
    state: "awaiting",
    awaiting: { kind: "permission", message: about === null ? call.name : `${call.name}: ${about}` },
  };
}

function endedTurn(
  files: ThreadFiles,
  agents: readonly LiveAgent[],
): Pick<Claim, "state" | "value" | "atMs"> {
  const { thread, row, rolloutFound } = files;
  if (thread.turn === "over") {
    const state = agents.length > 0 ? "background" : "waiting";
    return { state, value: `newest: ${thread.newest}`, atMs: thread.turnAtMs };
  }
  // Until the first prompt a thread has neither a row nor a file.
  const fresh = row === null && !rolloutFound && files.databaseFault === null;
  return {
    state: fresh ? "waiting" : null,
    value: fresh ? "no prompt yet" : "nothing said about a turn",
    atMs: fresh ? madeAtMs(files.threadId) : null,
  };
}

/** When the open questions will have stood long enough; null when they have, or there are none. */
function asksIn(calls: readonly OpenCall[], nowMs: number): number | null {
  if (calls.length === 0 || !calls.every((one) => one.name in ASKING_TOOLS)) return null;
  const youngestAtMs = Math.max(...calls.map((one) => one.atMs ?? 0));
  const inMs = youngestAtMs + ASKS_AFTER_MS - nowMs;
  return inMs > 0 ? Math.min(inMs, ASKS_AFTER_MS) : null;
}

// ---- the title

/** Blinks between the two while an approval or a question waits. */
const ASKING_TITLE = /^\[ [!.] \] Action Required/;
/** A braille spinner, ten a second. */
const BUSY_TITLE = /^[⠀-⣿] /;

function titleClaims({ title }: LiveSignals): Claim[] {
  if (title === null) return [];
  const claim: Claim = { source: "title", value: title, state: null, atMs: null };
  if (ASKING_TITLE.test(title)) {
    return [{ ...claim, state: "awaiting", awaiting: { kind: "permission", message: null } }];
  }
  return [BUSY_TITLE.test(title) ? { ...claim, state: "thinking", coarse: true } : claim];
}

// ---- what is missing

function unknownReason({ rolloutFound, rolloutPath, threadId }: ThreadFiles): string {
  if (!rolloutFound)
    return `the rollout of thread ${threadId} is not there (${rolloutPath ?? "no path is known"})`;
  return "its rollout says nothing about a turn";
}

function missingOf({ rolloutFound, rolloutPath, databaseFault, threadId }: ThreadFiles): string[] {
  const missing = databaseFault === null ? [] : [databaseFault];
  if (rolloutFound) return missing;
  const what = rolloutPath ?? `a rollout of thread ${threadId}`;
  return [...missing, `${what} is not there: it appears with the first prompt`];
}
