// A connection to padi that has passed the version gate; for verbs that start daemons, one that is there afterwards.
import { matchPrefix, shortId, TerminalId } from "@kolu/contract/ids.ts";
import { askDrain } from "@kolu/daemon/start-daemon.ts";
import { DialFailed } from "@kolu/wire/dial.ts";
import type { Invocation } from "./arguments.ts";
import { isOlderBuild, startOurDaemon } from "./daemons.ts";
import { type Endpoint, findEndpoint } from "./endpoint.ts";
import { Failure, UsageError } from "./exit.ts";
import { dialPadi, Incompatible, judgePadi, type PadiLink } from "./padi-dial.ts";
import type { WantedHost } from "./remote/open-host.ts";
import type { Context } from "./verb-table.ts";

export type { PadiLink } from "./padi-dial.ts";

/** Finds, dials and gates the padi that an invocation means. `start`: bring one up when none answers. */
export async function openPadi(
  invocation: Pick<Invocation, "endpoint">,
  context: Context,
  options: { start: boolean } = { start: false },
): Promise<PadiLink> {
  const { env, cwd } = context;
  const { host } = invocation.endpoint;
  if (host !== undefined) return openRemote({ host, stateRoot: null, ...options }, context);
  const endpoint = await findEndpoint({ words: invocation.endpoint, env, cwd, mayStart: options.start });
  return openEndpoint(endpoint, context, options);
}

export async function openEndpoint(
  endpoint: Endpoint,
  context: Context,
  options: { start: boolean },
): Promise<PadiLink> {
  const { host, stateRoot } = endpoint;
  if (host !== undefined) return openRemote({ host, stateRoot, ...options }, context);
  const link = await dialPadi(endpoint).catch((error: unknown) => {
    if (error instanceof DialFailed) return null;
    throw error;
  });
  if (!link) {
    if (!options.start) throw nobodyAnswers(endpoint);
    return startAndDial(endpoint, context);
  }
  const verdict = judgePadi(link.hello);
  if (verdict.kind === "fine" && !(options.start && isOlderBuild(link.hello.buildId))) return link;
  link.close();
  if (verdict.kind === "too-new") throw new Incompatible(verdict.sentence);
  if (!options.start) throw new Incompatible(verdict.kind === "too-old" ? verdict.sentence : "");
  context.out.say(
    `padi ${link.hello.buildId} is older than this kolu: replacing it. Its terminals keep running.`,
  );
  await askDrain(endpoint.socketPath, `kolu ${link.hello.buildId} makes way for a newer one`);
  return startAndDial({ ...endpoint, stateRoot: link.hello.stateRoot }, context);
}

/** Loaded where it is needed: a verb on this machine starts without it. */
async function openRemote(wanted: WantedHost, context: Context): Promise<PadiLink> {
  const { openHost } = await import("./remote/open-host.ts");
  return openHost(wanted, context);
}

async function startAndDial(endpoint: Endpoint, context: Context): Promise<PadiLink> {
  if (endpoint.stateRoot === null)
    throw new Failure(
      `Nobody answers at ${endpoint.socketPath} (${endpoint.namedBy}), and a socket alone does not say whose state to use. To start kolu, name a --state-root.`,
    );
  await startOurDaemon("padi", { stateRoot: endpoint.stateRoot, env: context.env, entry: context.entry });
  const words = { socket: undefined, "state-root": endpoint.stateRoot, host: undefined };
  const started = await findEndpoint({ words, env: context.env, cwd: context.cwd, mayStart: false });
  const link = await dialPadi(started);
  const verdict = judgePadi(link.hello);
  if (verdict.kind === "fine") return link;
  link.close();
  throw new Incompatible(verdict.sentence);
}

function nobodyAnswers(endpoint: Endpoint): Failure {
  const start =
    endpoint.stateRoot === null ? "" : " `kolu create` and `kolu web` start it, with the same flags.";
  return new Failure(`No padi answers at ${endpoint.socketPath} (${endpoint.namedBy}).${start}`);
}

/**
 * The id that a person shortened. A whole id is passed on unseen: padi knows better than a list whether it is gone or never
 * was. Throws UsageError when nothing or more than one thing matches.
 */
export async function resolveId(link: PadiLink, typed: string, signal: AbortSignal): Promise<TerminalId> {
  const whole = TerminalId.safeParse(typed.trim().toLowerCase());
  if (whole.success) return whole.data;
  const { terminals } = await link.client.call("terminals.list", {}, { signal });
  const match = matchPrefix(
    typed,
    terminals.map((terminal) => terminal.id),
  );
  switch (match.kind) {
    case "found":
      return match.id as TerminalId;
    case "none":
      throw new UsageError(`no terminal matching ${JSON.stringify(typed)}. List them with: kolu ls`);
    case "ambiguous":
      throw new UsageError(
        `${JSON.stringify(typed)} matches ${match.ids.length} terminals: ${match.ids.map(shortId).join(", ")}`,
      );
    default:
      return match satisfies never;
  }
}
