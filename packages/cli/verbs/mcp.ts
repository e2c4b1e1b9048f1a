import { announceProcess } from "@kolu/daemon/announcements.ts";
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { placesFor } from "@kolu/daemon/places.ts";
import { createConnection } from "@kolu/mcp/connection.ts";
import { serveHost } from "@kolu/mcp/server.ts";
import type { Invocation } from "../arguments.ts";
import { callerOf } from "../caller.ts";
import { Exit, type ExitCode, judgeError } from "../exit.ts";
import { Incompatible } from "../padi-dial.ts";
import { openPadi } from "../padi-link.ts";
import { bringBack } from "../standing-link.ts";
import type { Context } from "../verb-table.ts";

/** How long a call waits for a padi that is being brought back. */
const COMEBACK_LIMIT_MS = 10_000;

/** stdout belongs to the protocol; whatever is said goes to stderr under this brand. */
function say({ out }: Context, sentence: string): void {
  out.sayPlain(`kolu mcp: ${sentence.replaceAll("\n", "\nkolu mcp: ")}\n`);
}

export async function run(invocation: Invocation<Record<never, never>>, context: Context): Promise<ExitCode> {
  const skew = new AbortController();
  try {
    // Before the handshake: whether kolu can be used here is told by the exit code.
    const first = await openPadi(invocation, context);
    const takeBack = await announceIn(placesFor(first.hello.stateRoot, context.env).runtime, context);
    const connection = createConnection({
      first,
      redial: (signal) =>
        bringBack(first.endpoint, { ...context, signal }, COMEBACK_LIMIT_MS).catch((error: unknown) => {
          // Never go on against a padi of another contract: what a host was told of the tools would be false.
          if (error instanceof Incompatible) skew.abort(error);
          throw error;
        }),
      onDrop: () => say(context, "padi went away; bringing it back"),
    });
    const caller = callerOf(invocation.endpoint, context.env);
    const onFault = (error: Error): void => say(context, error.message);
    const ends = AbortSignal.any([context.signal, skew.signal]);
    try {
      await serveHost({ connection, caller, version: koluVersion(), onFault }, ends);
    } finally {
      connection.close();
      await takeBack();
    }
    ends.throwIfAborted();
    return Exit.done;
  } catch (error) {
    const { code, sentence } = judgeError(error);
    if (sentence !== null) say(context, sentence);
    return code;
  }
}

/** For `kolu stop`, which names whoever brings padi back. Without it everything else works all the same. */
async function announceIn(runtime: string, context: Context): Promise<() => Promise<void>> {
  try {
    return await announceProcess(runtime, `mcp-${process.pid}`);
  } catch (error) {
    say(context, `\`kolu stop\` will not know of this server: ${(error as Error).message}`);
    return async () => {};
  }
}
