import { shortId } from "@kolu/contract/ids.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import type { Context } from "../verb-table.ts";

export async function run(invocation: Invocation, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  await using link = await openPadi(invocation, context);
  const id = await resolveId(link, invocation.operands[0]!, signal);
  const killed = await link.client.call("terminal.kill", { id }, { signal });
  out.say(`killed ${shortId(id)}${killed.pid === null ? "" : ` (pid ${killed.pid})`}`);
  if (killed.survivors.length === 0) return Exit.done;
  out.say(`these processes did not end: ${killed.survivors.join(", ")}`);
  return Exit.failed;
}
