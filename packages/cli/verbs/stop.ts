import { setTimeout as sleep } from "node:timers/promises";
import { kavalContract } from "@kolu/contract/kaval.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import { findAnnounced } from "@kolu/daemon/announcements.ts";
import { placesFor } from "@kolu/daemon/places.ts";
import { controlContract } from "@kolu/daemon/start-daemon.ts";
import { findServers } from "@kolu/web/link.ts";
import { DialFailed, dialRpc } from "@kolu/wire/dial.ts";
import type { Invocation } from "../arguments.ts";
import { findEndpoint } from "../endpoint.ts";
import { Exit, type ExitCode, Failure, UsageError } from "../exit.ts";
import { openEndpoint, type PadiLink } from "../padi-link.ts";
import { runThere } from "../remote/run-there.ts";
import type { Context } from "../verb-spec.ts";
import type { stopFlags } from "../verb-table-house.ts";

/** A daemon that was asked to leave has this long: kaval writes every screen to disk first. */
const LEAVE_TIMEOUT_MS = 30_000;
/** From the close of its socket to its end: some milliseconds. */
const GONE_LOOK_MS = 5;

export async function run(invocation: Invocation<typeof stopFlags>, context: Context): Promise<ExitCode> {
  const { host } = invocation.endpoint;
  if (host !== undefined) return runThere("stop", { endpoint: { host }, flags: invocation.flags }, context);
  const { all, yes, json } = invocation.flags;
  if (yes && !all) throw new UsageError("--yes belongs to --all: nothing else asks for it.");
  const { env, cwd, out } = context;
  const endpoint = await findEndpoint({ words: invocation.endpoint, env, cwd, mayStart: true });
  const link = await openEndpoint(endpoint, context, { start: false }).catch((error: unknown) => {
    if (error instanceof Failure) return null;
    throw error;
  });
  const stateRoot = link?.hello.stateRoot ?? endpoint.stateRoot;
  if (link === null && !all)
    throw new Failure(`No padi runs at ${endpoint.socketPath}: there is nothing to stop.`);
  if (stateRoot === null)
    throw new Failure("A socket alone does not say whose kaval is meant. Name a --state-root.");
  const { kavalSocket, runtime } = placesFor(stateRoot, env);
  if (all && !yes)
    await requireNobodyAlive(kavalSocket).catch((error: unknown) => {
      link?.close();
      throw error;
    });
  const servers = await findServers(stateRoot, env);
  const mcpServers = (await findAnnounced(runtime, "mcp")).map(({ pid }) => ({ pid }));
  const padi = link === null ? null : await stopPadi(link);
  const kaval = all ? await stopKaval(kavalSocket) : null;
  if (json) out.json({ padi, kaval, servers, mcpServers });
  if (padi !== null) out.say(`padi (pid ${padi.pid}) has left${all ? "" : "; terminals keep running"}`);
  if (kaval !== null) out.say(`kaval (pid ${kaval.pid}) has left, and every terminal with it`);
  else if (all) out.say("no kaval was running");
  for (const { pid, url } of servers)
    out.say(`the web server at ${url} (pid ${pid}) starts padi again: end it first if that is not wanted`);
  for (const { pid } of mcpServers)
    out.say(`\`kolu mcp\` (pid ${pid}) starts padi again: end its agent, or it, first if that is not wanted`);
  return Exit.done;
}

/** Ending every terminal needs a word of its own when one is alive. kaval is asked: it owns them, whether padi runs or not. */
async function requireNobodyAlive(kavalSocket: string): Promise<void> {
  const link = await dialRpc(kavalContract, { socketPath: kavalSocket }).catch(unlessNobody);
  if (link === null) return;
  const { terminals } = await link.client.call("terminal.list", {});
  link.close();
  const alive = terminals.filter(({ life }) => life === "live").length;
  if (alive === 0) return;
  const whom = alive === 1 ? "one terminal" : `${alive} terminals`;
  throw new UsageError(`--all ends ${whom} and everything in them. If that is meant: kolu stop --all --yes`);
}

function unlessNobody(error: unknown): null {
  if (error instanceof DialFailed) return null;
  throw error;
}

async function stopPadi(link: PadiLink): Promise<{ pid: number }> {
  const { pid } = link.hello;
  try {
    await link.client.call("drain", { reason: "kolu stop" });
  } catch (error) {
    // It was quicker to leave than to answer.
    if (!(error instanceof LinkLost)) throw error;
  }
  await untilLeft({ pid, name: "padi", closed: link.closed });
  link.close();
  return { pid };
}

/** Null when none answers. kaval leaves on SIGTERM, after it has written every screen to disk. */
async function stopKaval(socketPath: string): Promise<{ pid: number } | null> {
  const link = await dialRpc(controlContract, { socketPath }).catch(unlessNobody);
  if (link === null) return null;
  // The pid is the one that this very socket names: never a process that only has its number.
  const { pid, name } = await link.client.call("hello", {});
  if (name !== "kaval") {
    link.close();
    throw new Failure(`${socketPath} is served by ${name}, not by kaval: nothing was ended.`);
  }
  process.kill(pid, "SIGTERM");
  await untilLeft({ pid, name: "kaval", closed: link.closed });
  link.close();
  return { pid };
}

interface Leaving {
  pid: number;
  name: string;
  /** Its end of our connection closes as it leaves. */
  closed: Promise<unknown>;
}

/** A process says nothing at its very end to one that is not its parent: after its farewell it is asked for a moment. */
async function untilLeft({ pid, name, closed }: Leaving): Promise<void> {
  const giveUpAtMs = Date.now() + LEAVE_TIMEOUT_MS;
  const patience = new AbortController();
  await Promise.race([closed, sleep(LEAVE_TIMEOUT_MS, null, { signal: patience.signal })]);
  patience.abort();
  while (isAlive(pid)) {
    if (Date.now() > giveUpAtMs)
      throw new Failure(`${name} (pid ${pid}) was asked to leave and is still there. Its log may say why.`);
    await sleep(GONE_LOOK_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
