// A link for verbs that stand for a long time: when padi dies under them, they bring it back and go on.
import { setTimeout as sleep } from "node:timers/promises";
import { isRefusal } from "@kolu/contract/refusals.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import { DialFailed } from "@kolu/wire/dial.ts";
import type { Endpoint } from "./endpoint.ts";
import { Failure } from "./exit.ts";
import { openEndpoint, type PadiLink } from "./padi-link.ts";
import { mayPass } from "./remote/host-failure.ts";
import type { Context } from "./verb-table.ts";

/** How long padi may stay away before a standing verb gives up. */
const COMEBACK_LIMIT_MS = 30_000;
/** Between two attempts at reaching a padi that is on its way down or up. */
const RETRY_MS = 100;
/** The same for another machine, where each is a new ssh. */
const HOST_RETRY_MS = 1_000;

/** The caller's time was up before padi was back. */
export class OutOfTime extends Error {}

/**
 * Runs `attempt` on the link, and again on a fresh one each time padi goes away under it. Owns the link and its successors.
 * Rejects with what `attempt` rejects with, with a Failure when padi cannot be brought back, or with OutOfTime.
 * @param deadlineAtMs epoch milliseconds after which padi is not waited for
 */
export async function withStandingLink<T>(
  first: PadiLink,
  context: Context,
  attempt: (link: PadiLink) => Promise<T>,
  deadlineAtMs: number | null = null,
): Promise<T> {
  let link = first;
  for (;;) {
    try {
      return await attempt(link);
    } catch (error) {
      if (!isGoingAway(error)) throw error;
    } finally {
      link.close();
    }
    context.out.say("padi went away; bringing it back");
    link = await inTime(bringBack(link.endpoint, context), deadlineAtMs);
  }
}

async function inTime(coming: Promise<PadiLink>, deadlineAtMs: number | null): Promise<PadiLink> {
  if (deadlineAtMs === null) return coming;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new OutOfTime()), Math.max(0, deadlineAtMs - Date.now()));
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    clearTimeout(timer);
    // Should it come after all, nobody uses it any more; should it fail, nobody asks any more.
    if (Date.now() >= deadlineAtMs)
      coming.then(
        (link) => link.close(),
        () => {},
      );
  }
}

function isGoingAway(error: unknown): boolean {
  return error instanceof LinkLost || isRefusal(error, "draining");
}

/** A padi at the same endpoint, started when there is none. Rejects with a Failure when it does not come back in time. */
export async function bringBack(
  endpoint: Endpoint,
  context: Context,
  limitMs = COMEBACK_LIMIT_MS,
): Promise<PadiLink> {
  const giveUpAtMs = Date.now() + limitMs;
  for (;;) {
    try {
      return await openEndpoint(endpoint, context, { start: true });
    } catch (error) {
      // A dying padi may still accept; a rising one may not yet.
      if (!(error instanceof DialFailed) && !isGoingAway(error) && !mayPass(error)) throw error;
      if (Date.now() > giveUpAtMs) throw new Failure(`padi does not come back: ${(error as Error).message}`);
    }
    await sleep(endpoint.host === undefined ? RETRY_MS : HOST_RETRY_MS, undefined, {
      signal: context.signal,
    });
  }
}
