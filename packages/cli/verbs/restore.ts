import { shortId } from "@kolu/contract/ids.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import type { Context, restoreFlags } from "../verb-table.ts";

export async function run(invocation: Invocation<typeof restoreFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  const { json } = invocation.flags;
  await using link = await openPadi(invocation, context, { start: true });
  const ids = [];
  for (const typed of invocation.operands) ids.push(await resolveId(link, typed, signal));
  try {
    const outcome = await link.client.call("terminal.restore", ids.length > 0 ? { ids } : {}, { signal });
    if (json) out.json(outcome);
    else for (const id of outcome.restored) out.line(id);
    for (const { id, reason } of outcome.failed) out.say(`${shortId(id)} stays parked: ${reason}`);
    out.say(`restored ${outcome.restored.length}`);
    return outcome.failed.length === 0 ? Exit.done : Exit.failed;
  } catch (error) {
    // Asked for "all", none is fine; asked for one that is not parked is not.
    if (!isRefusal(error, "nothing-to-restore") || ids.length > 0) throw error;
    if (json) out.json({ restored: [], failed: [] });
    out.say("nothing to restore");
    return Exit.done;
  }
}
