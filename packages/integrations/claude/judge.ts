// All that Claude Code says at once, weighed: in band, status file, transcript, title, screen, in this order of belief.
// Pure: files and live signals in, a report out. The facts behind each rule are in README.md.
import { believe, type Claim } from "@kolu/anyagent/believe.ts";
import { inBandClaim } from "@kolu/anyagent/in-band.ts";
import { screenClaim } from "@kolu/anyagent/outcome.ts";
import type { LiveSignals, SessionReport } from "@kolu/anyagent/plugin.ts";
import { type BackgroundWork, bucketOf, NO_BACKGROUND } from "@kolu/contract/agent.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { ConversationFacts } from "./conversation.ts";
import type { Conversation } from "./fold.ts";
import type { Launch, StatusFile } from "./records.ts";

/** What a session's files hold now. */
export interface ClaudeFiles extends ConversationFacts {
  statusPath: string;
  /** The last whole one; null before the first. */
  status: StatusFile | null;
  /** When that was first read: a busy machine writes up to half a second after its own stamp. */
  statusSeenAtMs: number;
}

/** In band and on disk are stamped by the same machine within 2 ms (measured on 2.1.332), and the file passes through `idle`
 * for 15 ms between a background task's end and the turn that follows. An in-band word that a later status has contradicted
 * for longer than this was the last of its program to arrive. */
const CONTRADICTED_AFTER_MS = 1_000;
/** A process without a status for longer than this is of a release that writes none. */
const STARTING_MS = 5_000;
/** How long `idle` is held back while a background task has not been reported as ended: its end passes through `idle` for
 * 15 ms (150 on a busy machine), and the turn that follows makes the report. */
const IDLE_SETTLES_MS = 500;
/** Calls that wait for a person by their nature, and what for. */
const ASKING_TOOLS: Readonly<Record<string, string>> = { AskUserQuestion: "question", ExitPlanMode: "plan" };

export function judge(files: ClaudeFiles, live: LiveSignals): SessionReport {
  const { status, conversation } = files;
  const settlesInMs = idleSettlesInMs(files, live);
  const background = settlesInMs === null ? backgroundOf(files, live.inBand) : liveWork(files, live.inBand);
  const inBand = inBandClaims(files, live);
  const claims = [
    ...inBand,
    ...statusClaims(status, settlesInMs !== null),
    transcriptClaim(files, { background, gated: isGated(status, inBand[0]), nowMs: live.nowMs }),
    ...titleClaims(live, status),
    ...(live.screen === null ? [] : [screenClaim(live.screen)]),
  ];
  const belief = believe(claims);
  const state = belief?.state ?? "unknown";
  const root = live.inBand.find((record) => record.id === "");
  const error = root?.state === "error" ? root.message : conversation.error;
  return {
    state,
    source: belief?.source ?? "process",
    atMs: belief?.atMs ?? null,
    awaiting: belief?.awaiting ?? null,
    unknownReason: belief === null ? unknownReason(files) : null,
    error: bucketOf(state) === "waiting" ? error : null,
    sessionId: status?.sessionId ?? null,
    sessionPath: files.transcriptFound ? files.transcriptPath : null,
    version: status?.version ?? null,
    model: conversation.model,
    contextTokens: conversation.contextTokens,
    title: conversation.userTitle ?? files.titleFromFile ?? conversation.agentTitle,
    todos: files.taskTodos ?? conversation.todos,
    background,
    startedAtMs: files.firstEntryAtMs ?? status?.startedAtMs ?? null,
    prompted: conversation.prompted,
    signals: belief?.signals ?? claims.map(silent),
    missing: missingOf(files),
    malformedRecords: files.malformedRecords,
    // A release without in-band words and without a status leaves dialogs to the screen alone.
    wantsScreen: live.inBand.length === 0 && (status === null || status.status === null),
    holdsForMs: settlesInMs ?? contradictionInMs(files, live),
  };
}

function silent(claim: Claim): SessionReport["signals"][number] {
  const { source, value, state, atMs } = claim;
  return { source, value, state, atMs, verdict: "silent", note: claim.note ?? null };
}

// ---- in band

function inBandClaims({ status }: ClaudeFiles, { inBand: records, nowMs }: LiveSignals): Claim[] {
  // Children carry the background work, shells too; only the root record tells of the turn itself.
  const claim = inBandClaim(records.filter((record) => record.id === "" || record.state === "blocked"));
  if (claim === null) return [];
  const reworded = { ...claim, ...planGate(claim) };
  const ignoredBecause = status === null ? null : whyIgnored(reworded, status, nowMs);
  return [ignoredBecause === null ? reworded : { ...reworded, ignoredBecause }];
}

/** The plan gate is a permission by its kind; its message alone names it. */
function planGate(claim: Claim): Pick<Claim, "awaiting"> {
  if (claim.awaiting?.kind !== "permission" || claim.awaiting.message !== "approve plan") return {};
  return { awaiting: { kind: "plan", message: claim.awaiting.message } };
}

function whyIgnored(claim: Claim, status: StatusFile, nowMs: number): string | null {
  const said = stateOfStatus(status);
  const saidAtMs = status.statusUpdatedAtMs ?? 0;
  const leadMs = saidAtMs - (claim.atMs ?? 0);
  if (said === null || bucketOf(said.state!) === bucketOf(claim.state!)) return null;
  // A shell that outlives the turn keeps the in-band state at `working`; the agent itself waits for the next prompt.
  if (status.status === "shell" && leadMs > -CONTRADICTED_AFTER_MS) {
    return "the turn is over and only a background shell still runs, which is not the agent working";
  }
  // Panels and the prompts at a start are not reported in band: idle there means "no turn", not "nothing is open".
  if (status.waitingFor === "dialog open" && claim.state === "waiting" && leadMs >= 0) {
    return "a dialog was opened since, and dialogs are not reported in band";
  }
  const contradicted = leadMs > CONTRADICTED_AFTER_MS && nowMs - saidAtMs >= CONTRADICTED_AFTER_MS;
  return contradicted ? "the status file says otherwise since" : null;
}

/** When an in-band word will have been contradicted for too long; null when nothing contradicts it, or it is over. */
function contradictionInMs({ status }: ClaudeFiles, { inBand, nowMs }: LiveSignals): number | null {
  const root = inBand.find((record) => record.id === "");
  if (status?.statusUpdatedAtMs == null || root === undefined) return null;
  if (status.statusUpdatedAtMs - root.updatedAtMs <= CONTRADICTED_AFTER_MS) return null;
  const inMs = status.statusUpdatedAtMs + CONTRADICTED_AFTER_MS - nowMs;
  return inMs > 0 ? inMs : null;
}

// ---- the status file

function statusClaims(status: StatusFile | null, settling: boolean): Claim[] {
  if (status === null) return [];
  const said = stateOfStatus(status);
  const value =
    status.status === null ? "no status yet" : [status.status, status.waitingFor].filter(Boolean).join(": ");
  const claim: Claim = { source: "status-file", value, state: null, atMs: status.statusUpdatedAtMs, ...said };
  return [
    settling
      ? { ...claim, ignoredBecause: "a background task ends, and a turn may follow in a moment" }
      : claim,
  ];
}

/** While `idle` is fresh and a task of this process has not been reported as ended; null when it counts. In band the same
 * moment shows as `working` throughout, so this is for releases that report nothing. */
function idleSettlesInMs(
  { status, statusSeenAtMs, conversation }: ClaudeFiles,
  { inBand, nowMs }: LiveSignals,
): number | null {
  if (status?.status !== "idle" || inBand.length > 0) return null;
  const unreported = ofThisProcess(conversation, status).some((launch) => launch.kind !== "shell");
  const inMs = statusSeenAtMs + IDLE_SETTLES_MS - nowMs;
  return unreported && conversation.turn === "over" && inMs > 0 ? inMs : null;
}

function stateOfStatus(status: StatusFile): Pick<Claim, "state" | "coarse" | "awaiting"> | null {
  switch (status.status) {
    case "busy":
      return { state: "thinking", coarse: true };
    case "idle":
    case "shell":
      return { state: "waiting" };
    case "waiting":
      return { state: "awaiting", awaiting: { kind: kindOfWait(status.waitingFor), message: null } };
    default:
      return null;
  }
}

function kindOfWait(waitingFor: string | null): string {
  switch (waitingFor) {
    case "input needed":
    case null:
      return "question";
    // 2.1.197 says this of a question too; the open call then tells them apart.
    case "permission prompt":
    case "sandbox request":
      return "permission";
    case "dialog open":
      return "dialog";
    default:
      return waitingFor;
  }
}

// ---- the transcript

/** A gate does not show in a transcript: whether a call runs or waits for a person is for the others to say. */
function isGated(status: StatusFile | null, inBand: Claim | undefined): boolean {
  if (inBand === undefined || inBand.ignoredBecause !== undefined) return status?.status === "waiting";
  return inBand.state === "awaiting";
}

function transcriptClaim(
  files: ClaudeFiles,
  { background, gated, nowMs }: { background: BackgroundWork; gated: boolean; nowMs: number },
): Claim {
  const { conversation, status } = files;
  const value = conversation.newest ?? (files.transcriptFound ? "nothing said yet" : "no transcript yet");
  const claim: Claim = {
    source: "transcript",
    value: `newest: ${value}`,
    state: null,
    atMs: conversation.newestAtMs,
  };
  // An earlier process wrote this: it tells of the conversation, not of what the present process is doing.
  if (isOfEarlierProcess(conversation, status)) {
    const speaks = conversation.turn !== "none" && !isStarting(status, nowMs);
    return { ...claim, state: speaks ? "waiting" : null, note: "written before this process started" };
  }
  const asked = conversation.openCalls.every((call) => call.name in ASKING_TOOLS);
  const call = conversation.openCalls[0];
  if (call !== undefined && (asked || gated)) {
    const kind = ASKING_TOOLS[call.name] ?? "permission";
    const message = call.about === null ? call.name : asked ? call.about : `${call.name}: ${call.about}`;
    return { ...claim, state: "awaiting", awaiting: { kind, message } };
  }
  if (call !== undefined) return { ...claim, state: "tool_use" };
  if (conversation.turn === "open") return { ...claim, state: "thinking" };
  if (worksBehindTurn(conversation, background)) return { ...claim, state: "background" };
  return { ...claim, state: conversation.turn === "none" ? null : "waiting" };
}

/** The transcript must know of the work too: at the start of a turn a task is reported in band before the prompt is written,
 * and until then the transcript still stands at the end of the turn before. */
function worksBehindTurn(
  { launches, pending }: Conversation,
  { workflows, agents }: BackgroundWork,
): boolean {
  const known = pending.workflows + pending.agents > 0 || launches.some((launch) => launch.kind !== "shell");
  return known && workflows.length + agents.length > 0;
}

/** Without a status yet: every release seen here writes one, within 150 ms on a quiet machine. */
function isStarting(status: StatusFile | null, nowMs: number): boolean {
  return status?.status === null && nowMs - (status.startedAtMs ?? 0) < STARTING_MS;
}

function isOfEarlierProcess(conversation: Conversation, status: StatusFile | null): boolean {
  const startedAtMs = status?.startedAtMs ?? null;
  return startedAtMs !== null && conversation.newestAtMs !== null && conversation.newestAtMs < startedAtMs;
}

// ---- the title

/** A circle that turns (2.1.332) or a braille dot (2.1.197) while it works; a star in all other states. */
const BUSY_TITLE = /^[◐◑◒◓⠀-⣿] /;
const CALM_TITLE = /^✳ /;

function titleClaims({ title, inBand, nowMs }: LiveSignals, status: StatusFile | null): Claim[] {
  if (title === null) return [];
  const claim: Claim = { source: "title", value: title, state: null, atMs: null };
  if (isStarting(status, nowMs)) return [{ ...claim, note: "may be left by a process before this one" }];
  if (BUSY_TITLE.test(title)) return [{ ...claim, state: "thinking", coarse: true }];
  if (!CALM_TITLE.test(title)) return [];
  // The star stands for waiting and for awaiting alike, so it only counts where nothing can tell them apart.
  const alone = inBand.length === 0 && (status?.status ?? null) === null;
  return [{ ...claim, state: alone ? "waiting" : null, note: "the star means: not working" }];
}

// ---- background work

/** Idle means that nothing runs, whatever was launched; `shell` that only shells do. */
function backgroundOf(files: ClaudeFiles, records: readonly ProgramRecord[]): BackgroundWork {
  if (files.status?.status === "idle") return NO_BACKGROUND;
  const work = liveWork(files, records);
  return files.status?.status === "shell" ? { ...NO_BACKGROUND, shells: Math.max(1, work.shells) } : work;
}

/** What was launched and not reported as ended; in band, children name what lives. */
function liveWork(files: ClaudeFiles, records: readonly ProgramRecord[]): BackgroundWork {
  const { status, conversation } = files;
  const live = reportedAlive(ofThisProcess(conversation, status), records);
  const workflows = live
    .filter((launch) => launch.kind === "workflow")
    .map(({ name, runId }) => ({ name, agents: files.workflowAgents.get(runId ?? "") ?? 0 }));
  const agents = live.filter((launch) => launch.kind === "agent").map(({ name }) => ({ name }));
  const shells = live.filter((launch) => launch.kind === "shell").length;
  // Launched beyond the part of the file that was read: counted by the end of the turn, their names are not known.
  const spoken = records.some((record) => record.id === "");
  if (spoken || conversation.turn !== "over" || status?.status !== "busy")
    return { workflows, agents, shells };
  return {
    workflows: padded(workflows, conversation.pending.workflows, { name: "workflow", agents: 0 }),
    agents: padded(agents, conversation.pending.agents, { name: "agent" }),
    shells,
  };
}

/** What an earlier process left running ended with it. */
function ofThisProcess({ launches }: Conversation, status: StatusFile | null): Launch[] {
  const startedAtMs = status?.startedAtMs ?? 0;
  return launches.filter((launch) => (launch.atMs ?? 0) >= startedAtMs);
}

/** In band, a child record per task is made at its launch and cleared at its end: the list of what lives. */
function reportedAlive(launches: readonly Launch[], records: readonly ProgramRecord[]): Launch[] {
  if (!records.some((record) => record.id === "")) return [...launches];
  const alive = new Map(records.filter((record) => record.id !== "").map((record) => [record.id, record]));
  const known = launches.filter((launch) => alive.delete(launch.taskId));
  const unknown = [...alive.values()].map((record) => launchOfRecord(record));
  return [...known, ...unknown];
}

/** A task that the transcript does not name (yet). Its id tells the sort: b for a shell, w for a workflow, a for an agent
 * (observed on 2.1.332). */
function launchOfRecord(record: ProgramRecord): Launch {
  const base = { taskId: record.id, atMs: record.updatedAtMs };
  if (/^b[a-z0-9]{8}$/.test(record.id)) return { ...base, kind: "shell" };
  if (/^w[a-z0-9]{8}$/.test(record.id))
    return { ...base, kind: "workflow", name: record.title ?? "workflow", runId: null };
  return { ...base, kind: "agent", name: record.title ?? "agent" };
}

function padded<T>(known: T[], count: number, unnamed: T): T[] {
  return [...known, ...Array.from({ length: Math.max(0, count - known.length) }, () => unnamed)];
}

// ---- what is missing

function unknownReason({ status, statusPath }: ClaudeFiles): string {
  if (status === null) return `its status file cannot be read yet (${statusPath})`;
  if (status.status === null) return "it has just started and has not said its state";
  return `its status file says "${status.status}", which kolu does not know`;
}

function missingOf(files: ClaudeFiles): string[] {
  if (files.transcriptPath === null || files.transcriptFound) return [];
  return [`${files.transcriptPath} is not there: it appears with the first prompt`];
}
