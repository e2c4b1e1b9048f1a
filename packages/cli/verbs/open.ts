import { formatDeepLink } from "@kolu/contract/deep-link.ts";
import { findServers, linkFor, mintToken } from "@kolu/web/link.ts";
import type { Invocation } from "../arguments.ts";
import { findEndpoint } from "../endpoint.ts";
import { Exit, type ExitCode, Failure } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import type { Context, openFlags } from "../verb-table.ts";

/** Prints one link for each web server that runs on this state root; there is hardly ever more than one. */
export async function run(invocation: Invocation<typeof openFlags>, context: Context): Promise<ExitCode> {
  const { env, cwd, out } = context;
  const { stateRoot } = await findEndpoint({ words: invocation.endpoint, env, cwd, mayStart: true });
  const place = await placeOf(invocation, context);
  const servers = stateRoot === null ? [] : await findServers(stateRoot, env);
  if (stateRoot === null || servers.length === 0)
    throw new Failure("No web server is running here. Start one with: kolu web");
  for (const server of servers) out.line(linkFor(server.url, await mintToken(stateRoot, Date.now()), place));
  out.say(`opens the canvas${place === null ? "" : " at that terminal"} once, within ten minutes`);
  return Exit.done;
}

/** The server leads there once it has taken the token away. */
async function placeOf(invocation: Invocation<typeof openFlags>, context: Context): Promise<string | null> {
  const typed = invocation.operands[0];
  if (typed === undefined) return null;
  await using link = await openPadi(invocation, context);
  const terminal = await resolveId(link, typed, context.signal);
  return formatDeepLink({ terminal, host: null, file: null, line: null });
}
