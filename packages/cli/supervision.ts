// `kolu watch` as a supervisor: a watch subscription of padi's, told line by line. It goes on over padi's restarts, because
// the subscription does.
import { randomUUID } from "node:crypto";
import { Bucket } from "@kolu/contract/agent.ts";
import { shortId, type TerminalId } from "@kolu/contract/ids.ts";
import { applyFrame } from "@kolu/contract/live-view.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import type { Client } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { WatchEvent } from "@kolu/contract/watch.ts";
import type { FlagValues } from "./arguments.ts";
import { Exit, type ExitCode, Failure, UsageError } from "./exit.ts";
import type { Output } from "./output.ts";
import type { PadiLink } from "./padi-link.ts";
import { withStandingLink } from "./standing-link.ts";
import { clockTime, formatDuration } from "./text.ts";
import type { Context } from "./verb-spec.ts";
import type { watchFlags } from "./verb-table-driving.ts";

/** A subscription of a verb that was killed is of no use to anybody: so long it may outlive it. */
const KEEP_MS = 10 * 60 * 1_000;
/** Closing is a courtesy at the end of a run. */
const CLOSE_TIMEOUT_MS = 1_000;

export interface Watching {
  /** The one terminal that it is about; null: all. */
  only: TerminalId | null;
  ignoreIds: TerminalId[];
  flags: FlagValues<typeof watchFlags>;
}

/** Owns the link. Resolves when the one terminal is gone. */
export async function supervise(link: PadiLink, watching: Watching, context: Context): Promise<ExitCode> {
  const { only, ignoreIds, flags } = watching;
  const states = flags.states === undefined ? undefined : parseStates(flags.states);
  const name = `kolu-watch-${randomUUID()}`;
  const question = {
    name,
    keepMs: KEEP_MS,
    ...(only === null ? {} : { ids: [only] }),
    ...(states === undefined ? {} : { states }),
    ...(flags["held-for"] === undefined ? {} : { heldForMs: flags["held-for"] }),
    ...(flags.nag === undefined ? {} : { nagMs: flags.nag }),
    ...(ignoreIds.length === 0 ? {} : { ignoreIds }),
  };
  let opened = false;
  let after: number | undefined;

  return withStandingLink(link, context, async ({ client }) => {
    const over = new AbortController();
    const signal = AbortSignal.any([context.signal, over.signal]);
    const events = async (): Promise<never> => {
      for (;;) {
        if (!opened) await client.call("watch.open", question, { signal });
        opened = true;
        const acked = after === undefined ? {} : { after };
        const frame = await client.call("watch.next", { name, ...acked }, { signal }).catch(unlessLost);
        if (frame === null) opened = false;
        if (frame?.result !== "met") continue;
        for (const event of frame.met.events) tell(event, flags.json, context.out);
        if (frame.met.dropped > 0)
          context.out.say(`${frame.met.dropped} events were lost: compare with kolu ls`);
        after = frame.met.ackAfter;
      }
    };
    try {
      return await Promise.race([events(), ...(only === null ? [] : [whenGone(client, only, signal)])]);
    } finally {
      over.abort();
      const closing = { signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) };
      // After a signal or at the end; a padi that went away still has the subscription, and we come back to it.
      if (context.signal.aborted || only !== null)
        await client.call("watch.close", { name }, closing).catch(() => {});
    }
  });
}

/** padi's database was put back to an older state: the subscription begins anew. */
function unlessLost(error: unknown): null {
  if (isRefusal(error, "watch-not-found")) return null;
  throw error;
}

/** A level says nothing of a terminal that goes away: the list of terminals does. */
async function whenGone(
  client: Client<PadiContract>,
  id: TerminalId,
  signal: AbortSignal,
): Promise<ExitCode> {
  let rows: ReadonlyMap<string, TerminalRecord> = new Map();
  for await (const frame of client.subscribe("terminals.watch", {}, { signal })) {
    rows = applyFrame(rows, frame);
    if (rows.get(id)?.life !== "active") return Exit.gone;
  }
  throw new Failure("padi ended the list of terminals.");
}

export function parseStates(words: string): Bucket[] {
  const names = words.split(",").map((word) => word.trim().toLowerCase());
  return names.map((name) => {
    const bucket = Bucket.safeParse(name);
    if (!bucket.success)
      throw new UsageError(
        `--states does not know ${JSON.stringify(name)}. It takes working, awaiting and waiting, joined by commas.`,
      );
    return bucket.data;
  });
}

function tell(event: WatchEvent, json: boolean, out: Output): void {
  if (json) out.ndjson(event);
  else out.row(cellsOf(event));
}

function cellsOf(event: WatchEvent): string[] {
  const head = [clockTime(event.at), shortId(event.id), event.kind.padEnd("transition".length)];
  const level =
    "state" in event ? [event.state.padEnd("awaiting".length), formatDuration(event.at - event.since)] : [];
  return [...head, ...level, ...(event.intent === undefined ? [] : [event.intent])];
}
