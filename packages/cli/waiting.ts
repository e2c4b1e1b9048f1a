// What `wait` and `debrief` do: one wait in padi, asked again when padi itself goes away meanwhile.
import { shortId, type TerminalId } from "@kolu/contract/ids.ts";
import { TIMER_MAX_MS } from "@kolu/contract/limits.ts";
import type { PadiContract, WaitCondition, WaitFrame } from "@kolu/contract/padi.ts";
import type { ParamsOf } from "@kolu/contract/rpc.ts";
import { nameAgent } from "./agent-names.ts";
import type { Invocation } from "./arguments.ts";
import { Exit, type ExitCode, Failure } from "./exit.ts";
import { openPadi, type PadiLink, resolveId } from "./padi-link.ts";
import { stateWords } from "./record-cells.ts";
import { OutOfTime, withStandingLink } from "./standing-link.ts";
import { formatDuration } from "./text.ts";
import type { Context } from "./verb-table.ts";

/** How far beyond its own time-out a wait may answer before padi counts as hanging. */
const OVERDUE_MS = 10_000;

type WaitParams = ParamsOf<PadiContract, "terminal.wait">;

export interface WaitRequest {
  typedId: string;
  until: WaitCondition;
  settledMs: number | undefined;
  screenTail: number | undefined;
  timeoutMs: number | undefined;
  after: string | undefined;
  json: boolean;
}

export async function waitAndTell(
  request: WaitRequest,
  invocation: Pick<Invocation, "endpoint">,
  context: Context,
): Promise<ExitCode> {
  const startedAtMs = Date.now();
  let id: TerminalId | null = null;
  let asks = 0;
  const attempt = async (link: PadiLink): Promise<WaitFrame> => {
    const { signal } = context;
    // A prefix is read once: what it named stays meant, whatever comes up later.
    const known = id ?? (await resolveId(link, request.typedId, signal));
    id = known;
    const elapsedMs = Date.now() - startedAtMs;
    asks += 1;
    // Time that ran out while padi was away is a time-out all the same.
    if (request.timeoutMs !== undefined && asks > 1 && elapsedMs >= request.timeoutMs)
      return { id: known, result: "timeout", elapsedMs } satisfies WaitFrame;
    return askPadi(link, wireParams(request, known, asks > 1 ? elapsedMs : 0), signal);
  };
  const deadlineAtMs = request.timeoutMs === undefined ? null : startedAtMs + request.timeoutMs;
  const frame = await withStandingLink(
    await openPadi(invocation, context),
    context,
    attempt,
    deadlineAtMs,
  ).catch((error: unknown): WaitFrame => {
    if (!(error instanceof OutOfTime) || id === null) throw error;
    return { id, result: "timeout", elapsedMs: Date.now() - startedAtMs };
  });
  return tell(asks > 1 ? withElapsed(frame, Date.now() - startedAtMs) : frame, request, context);
}

/** padi keeps the time; one that hangs would keep it for ever. */
async function askPadi(link: PadiLink, params: WaitParams, signal: AbortSignal): Promise<WaitFrame> {
  const overdue =
    params.timeoutMs === undefined
      ? null
      : AbortSignal.timeout(Math.min(params.timeoutMs + OVERDUE_MS, TIMER_MAX_MS));
  try {
    return await link.client.call("terminal.wait", params, {
      signal: overdue ? AbortSignal.any([signal, overdue]) : signal,
    });
  } catch (error) {
    if (overdue?.aborted && !signal.aborted)
      throw new Failure("padi hangs: it answers no wait, although its time is up. Its log may say why.");
    throw error;
  }
}

function wireParams(request: WaitRequest, id: TerminalId, elapsedMs: number): WaitParams {
  const { until, settledMs, screenTail, timeoutMs, after } = request;
  return {
    id,
    until,
    ...(settledMs === undefined ? {} : { settledMs }),
    ...(screenTail === undefined ? {} : { screenTail }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: timeoutMs - elapsedMs }),
    ...(after === undefined ? {} : { after }),
  };
}

/** padi counts from the last ask; a person from the first. */
function withElapsed(frame: WaitFrame, elapsedMs: number): WaitFrame {
  switch (frame.result) {
    case "met":
      return { ...frame, met: { ...frame.met, elapsedMs } };
    case "closed":
      return frame;
    default:
      return { ...frame, elapsedMs };
  }
}

function tell(frame: WaitFrame, request: WaitRequest, { out }: Context): ExitCode {
  const short = shortId(frame.id);
  if (request.json) out.json(flatten(frame));
  switch (frame.result) {
    case "met":
      if (!request.json && frame.met.screen !== undefined && frame.met.screen !== "")
        out.line(frame.met.screen);
      out.say(`${short} · ${describeMet(frame.met)} after ${formatDuration(frame.met.elapsedMs)}`);
      return Exit.done;
    case "timeout":
      out.say(`${short} · timed out after ${formatDuration(frame.elapsedMs)}: not there yet`);
      return Exit.timedOut;
    case "gone":
      out.say(`${short} · the terminal is gone`);
      return Exit.gone;
    case "closed":
      throw new Failure(
        `${short} · padi lost sight of the terminal${frame.error === undefined ? "" : ` (${frame.error})`}. It was not seen to die: wait again.`,
      );
    default:
      return frame satisfies never;
  }
}

type Met = Extract<WaitFrame, { result: "met" }>["met"];

function describeMet(met: Met): string {
  switch (met.fired) {
    case "idle":
      return "quiet";
    case "match":
      return `matched ${JSON.stringify(met.matchedLine ?? "")}`;
    case "agent":
      return met.agent === undefined
        ? "its program reports that state"
        : `${nameAgent(met.agent.kind)} is ${stateWords(met.agent)}`;
    default:
      return met.fired satisfies never;
  }
}

/** One flat object for every way a wait can end. Pure. */
export function flatten(frame: WaitFrame): Record<string, unknown> {
  if (frame.result !== "met") return { ...frame };
  const { id, result, met } = frame;
  return { id, result, ...met };
}
