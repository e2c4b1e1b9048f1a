import type { Invocation } from "../arguments.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { parseUntil } from "../until.ts";
import type { Context, waitFlags } from "../verb-table.ts";
import { waitAndTell } from "../waiting.ts";

export function run(invocation: Invocation<typeof waitFlags>, context: Context): Promise<ExitCode> {
  const { until, timeout, settled, snapshot, after, json } = invocation.flags;
  if (until === undefined)
    throw new UsageError("wait needs --until idle:<ms>, match:<regex>, or buckets such as awaiting,waiting.");
  const request = {
    typedId: invocation.operands[0]!,
    until: parseUntil(until),
    settledMs: settled,
    screenTail: snapshot,
    timeoutMs: timeout,
    after,
    json,
  };
  return waitAndTell(request, invocation, context);
}
