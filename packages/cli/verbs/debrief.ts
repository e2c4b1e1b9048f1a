import type { Invocation } from "../arguments.ts";
import type { ExitCode } from "../exit.ts";
import type { Context, debriefFlags } from "../verb-table.ts";
import { waitAndTell } from "../waiting.ts";

/** An agent whose helper still plans says nothing for seconds at a time; silence this long means that nobody works. */
const QUIET_MS = 15_000;
const TAIL_LINES = 40;

export function run(invocation: Invocation<typeof debriefFlags>, context: Context): Promise<ExitCode> {
  const { quiet, tail, timeout, after, json } = invocation.flags;
  const request = {
    typedId: invocation.operands[0]!,
    until: { kind: "agent" as const, buckets: ["awaiting" as const, "waiting" as const] },
    settledMs: quiet ?? QUIET_MS,
    screenTail: tail ?? TAIL_LINES,
    timeoutMs: timeout,
    after,
    json,
  };
  return waitAndTell(request, invocation, context);
}
