// All that Pi says at once, weighed: in band, log, screen, in this order of belief. Pure: files and live signals in, a
// report out. The facts behind each rule are in README.md.
import { believe, type Claim } from "@kolu/anyagent/believe.ts";
import { inBandClaim } from "@kolu/anyagent/in-band.ts";
import { screenClaim } from "@kolu/anyagent/outcome.ts";
import type { LiveSignals, ScreenFinding, SessionReport } from "@kolu/anyagent/plugin.ts";
import { bucketOf, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import { isOfEarlierProcess, logClaim } from "@kolu/entry-log/claim.ts";
import type { Conversation } from "@kolu/entry-log/fold.ts";
import type { Header } from "@kolu/entry-log/log-file.ts";

/** What a session's file holds now. */
export interface PiFiles {
  path: string;
  found: boolean;
  header: Header | null;
  conversation: Conversation;
  malformedRecords: number;
}

/** @param startedAtMs of the agent's process, null when it is not known */
export function judge(files: PiFiles, startedAtMs: number | null, live: LiveSignals): SessionReport {
  const { conversation, header } = files;
  const inBand = inBandClaim(live.inBand);
  const log = logClaim(files.found ? conversation : null, startedAtMs);
  const ignoredBecause = whyIgnored(log, conversation, live.screen);
  const claims: Claim[] = [
    ...(inBand === null ? [] : [inBand]),
    ignoredBecause === null ? log : { ...log, ignoredBecause },
    ...(live.screen === null ? [] : [screenClaim(live.screen)]),
  ];
  const belief = believe(claims);
  const state = belief?.state ?? "unknown";
  const root = live.inBand.find((record) => record.id === "");
  // In band an error is told when no further attempt is made, and of whichever session it is in by now.
  const written = isOfEarlierProcess(conversation, startedAtMs) ? null : conversation.error;
  const error = root === undefined ? written : root.state === "error" ? root.message : null;
  return {
    state,
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason: belief === null ? `${files.path} holds no prompt yet` : null,
    error: bucketOf(state) === "waiting" ? error : null,
    sessionId: header?.sessionId ?? null,
    sessionPath: files.path,
    version: null,
    model: conversation.model ?? conversation.chosenModel?.model ?? null,
    contextTokens: conversation.contextTokens,
    title: conversation.name,
    todos: null,
    background: NO_BACKGROUND,
    startedAtMs: header?.startedAtMs ?? null,
    prompted: conversation.prompted,
    signals: belief?.signals ?? claims.map(silent),
    missing: files.found ? [] : [`${files.path} is not there (any more)`],
    malformedRecords: files.malformedRecords,
    // In band it tells every state, dialogs too. Releases before 1.0, and a terminal that was not asked, leave the screen.
    wantsScreen: live.inBand.length === 0,
    holdsForMs: null,
  };
}

/** Where the log is known to tell less than the screen. */
function whyIgnored(log: Claim, { error }: Conversation, screen: ScreenFinding | null): string | null {
  if (log.state === null || screen === null) return null;
  const working = bucketOf(screen.state) === "working";
  // Each attempt is written as an answer that ended in an error.
  if (log.state === "waiting" && working && error !== null) return "a failed request is being tried again";
  // It compacts, or it is in another session by now (/new, /resume), which nothing on disk connects with this terminal.
  if (log.state === "waiting" && working) return "the screen shows a turn that this log does not hold";
  if (bucketOf(log.state) === "working" && screen.state === "awaiting")
    return "the screen shows a dialog, which is not written";
  return null;
}

function silent({ source, value, state, atMs, note }: Claim): SessionReport["signals"][number] {
  return { source, value, state, atMs, verdict: "silent", note: note ?? null };
}
