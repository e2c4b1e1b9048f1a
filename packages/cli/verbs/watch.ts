import type { TerminalId } from "@kolu/contract/ids.ts";
import type { Invocation } from "../arguments.ts";
import type { ExitCode } from "../exit.ts";
import { heartbeat } from "../heartbeat.ts";
import { findMuted } from "../muted.ts";
import { openPadi, type PadiLink, resolveId } from "../padi-link.ts";
import { supervise } from "../supervision.ts";
import { tellChanges } from "../tell-changes.ts";
import type { Context } from "../verb-spec.ts";
import type { watchFlags } from "../verb-table-driving.ts";

/** Ends only with the terminal that it is about, at a signal, or when padi cannot be brought back. */
export async function run(invocation: Invocation<typeof watchFlags>, context: Context): Promise<ExitCode> {
  const { flags } = invocation;
  const link = await openPadi(invocation, context);
  const typed = invocation.operands[0];
  const only = typed === undefined ? null : await resolveId(link, typed, context.signal);
  const known = flags.ignore.length > 0 || flags["ignore-self"] ? await knownIds(link, context) : [];
  const muted = findMuted(flags, { known, only, env: context.env });
  for (const warning of muted.warnings) context.out.say(warning);
  const stop = heartbeat(flags.heartbeat, flags.json, context.out);
  const supervises = flags.states !== undefined || flags["held-for"] !== undefined || flags.nag !== undefined;
  try {
    const watching = { only, ignoreIds: muted.ids, flags };
    return supervises ? await supervise(link, watching, context) : await tellChanges(link, watching, context);
  } finally {
    stop();
  }
}

async function knownIds(link: PadiLink, { signal }: Context): Promise<TerminalId[]> {
  const { terminals } = await link.client.call("terminals.list", {}, { signal });
  return terminals.map(({ id }) => id);
}
