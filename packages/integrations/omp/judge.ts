// All that Oh My Pi says at once, weighed: log, title, screen, in this order of belief; it says nothing in band. Pure: files
// and live signals in, a report out. The facts behind each rule are in README.md.
import { believe, type Claim } from "@kolu/anyagent/believe.ts";
import { screenClaim } from "@kolu/anyagent/outcome.ts";
import type { LiveSignals, SessionReport } from "@kolu/anyagent/plugin.ts";
import { bucketOf, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import { isOfEarlierProcess, logClaim } from "@kolu/entry-log/claim.ts";
import type { Conversation } from "@kolu/entry-log/fold.ts";
import type { Header } from "@kolu/entry-log/log-file.ts";

/** What a process's files hold now. */
export interface OmpFiles {
  /** Null: it keeps no session. */
  breadcrumbPath: string | null;
  /** What the breadcrumb names; null before it is written. */
  sessionPath: string | null;
  /** The log is there, which it is once the first answer is complete. */
  found: boolean;
  header: Header | null;
  conversation: Conversation;
  title: string | null;
  malformedRecords: number;
}

/** For so long after its start a title may still be the one that a killed program left. */
const STARTING_MS = 2_000;

/** @param startedAtMs of the process, null when it is not known */
export function judge(files: OmpFiles, startedAtMs: number | null, live: LiveSignals): SessionReport {
  const { conversation, header } = files;
  const startingMs = startedAtMs === null ? 0 : startedAtMs + STARTING_MS - live.nowMs;
  const title = titleSays(live.title);
  const log = logClaim(files.found ? conversation : null, startedAtMs);
  const ignoredBecause = whyIgnored(log, conversation, title, live);
  const claims: Claim[] = [
    ignoredBecause === null ? log : { ...log, ignoredBecause },
    ...titleClaims(title, live, startingMs > 0),
    ...(live.screen === null ? [] : [screenClaim(live.screen)]),
  ];
  const belief = believe(claims);
  const state = belief?.state ?? "unknown";
  const error = isOfEarlierProcess(conversation, startedAtMs) ? null : conversation.error;
  return {
    state,
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason: belief === null ? unknownReason(files) : null,
    error: bucketOf(state) === "waiting" ? error : null,
    sessionId: header?.sessionId ?? null,
    sessionPath: files.found ? files.sessionPath : null,
    version: null,
    model: conversation.model ?? conversation.chosenModel?.model ?? null,
    contextTokens: conversation.contextTokens,
    title: files.title,
    todos: null,
    background: live.screen?.background ?? NO_BACKGROUND,
    startedAtMs: header?.startedAtMs ?? startedAtMs,
    prompted: conversation.prompted,
    signals: belief?.signals ?? claims.map(silent),
    missing: missingOf(files),
    malformedRecords: files.malformedRecords,
    // Dialogs and sub-agents are on the screen alone. It costs nothing while nothing is drawn.
    wantsScreen: true,
    holdsForMs: startingMs > 0 && title !== null ? startingMs : null,
  };
}

/** Where the log is known to tell less than the others. */
function whyIgnored(
  { state }: Claim,
  { error }: Conversation,
  title: TitleState | null,
  { screen }: LiveSignals,
): string | null {
  if (state === null) return null;
  if (state === "waiting" && screen?.state === "background") return "sub-agents work behind the ended turn";
  const works = title === "thinking" || screen?.state === "thinking";
  if (state === "waiting" && error !== null && works) return "a failed request is being tried again";
  // A turn that no prompt began (a sub-agent's result was delivered), or a compaction.
  if (state === "waiting" && title === "thinking" && screen?.state === "thinking") {
    return "title and screen both show work that the log does not hold yet";
  }
  if (screen?.state === "awaiting") return "the screen shows a dialog, which is not written";
  if (bucketOf(state) !== "working") return null;
  // A dialog that no recogniser knows, such as an extension's.
  if (screen === null && title === "awaiting") return "the title says that it waits for a person";
  return null;
}

// ---- the title

type TitleState = "thinking" | "awaiting" | "waiting";

/** `π > name` at rest, `π ⠧ name` at work, `π ! name` blocked (18.2.3). */
function titleSays(title: string | null): TitleState | null {
  if (title === null) return null;
  if (/^π [⠀-⣿] /.test(title)) return "thinking";
  if (title.startsWith("π ! ")) return "awaiting";
  return title.startsWith("π > ") ? "waiting" : null;
}

function titleClaims(said: TitleState | null, { title, screen }: LiveSignals, starting: boolean): Claim[] {
  if (title === null) return [];
  const claim: Claim = { source: "title", value: title, state: said, atMs: null };
  if (said === null) return [claim];
  if (starting) return [{ ...claim, ignoredBecause: "it may be left by a program before this one" }];
  if (screen?.state === "background" && said !== "awaiting") {
    return [{ ...claim, state: null, note: "sub-agents work, which the title does not tell apart" }];
  }
  if (said !== "awaiting") {
    const late = screen?.state === "awaiting";
    return [late ? { ...claim, ignoredBecause: "the screen shows a dialog already" } : claim];
  }
  // Seen to stay for a second after the answer.
  if (screen !== null && screen.state !== "awaiting") {
    return [{ ...claim, ignoredBecause: "the screen shows no dialog any more" }];
  }
  return [screen === null ? { ...claim, awaiting: { kind: "dialog", message: null } } : claim];
}

// ---- what is missing

function missingOf({ breadcrumbPath, sessionPath, found }: OmpFiles): string[] {
  if (breadcrumbPath === null) return ["--no-session: omp writes nothing to disk"];
  if (sessionPath === null) return [`${breadcrumbPath} was not written by this process (yet)`];
  return found ? [] : [`${sessionPath} is not there: it is made when the first answer is complete`];
}

function unknownReason(files: OmpFiles): string {
  return missingOf(files)[0] ?? `${files.sessionPath} holds no prompt yet`;
}

function silent({ source, value, state, atMs, note }: Claim): SessionReport["signals"][number] {
  return { source, value, state, atMs, verdict: "silent", note: note ?? null };
}
