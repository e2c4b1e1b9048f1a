// A connection to padi that has passed the version gate; for verbs that start daemons, one that is there afterwards.
import { matchPrefix, shortId, TerminalId } from "@kolu/contract/ids.ts";
import { type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { type Client, LinkLost } from "@kolu/contract/rpc.ts";
import { compareProtocol, type Hello, orderProtocol, PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { askDrain } from "@kolu/daemon/start-daemon.ts";
import { DialFailed, dialRpc, type RpcLink } from "@kolu/wire/dial.ts";
import type { Invocation } from "./arguments.ts";
import { isOlderBuild, startOurDaemon } from "./daemons.ts";
import { type Endpoint, findEndpoint } from "./endpoint.ts";
import { Failure, UsageError } from "./exit.ts";
import type { Context } from "./verb-table.ts";

export interface PadiLink extends AsyncDisposable {
  client: Client<PadiContract>;
  hello: Hello;
  endpoint: Endpoint;
  /** Resolves when the connection is gone; never rejects. */
  closed: Promise<void>;
  close(): void;
}

/** padi and this face speak no common protocol. */
export class Incompatible extends Failure {
  override name = "Incompatible";
}

/** How long a padi that answers the dial may take to say who it is. */
const HELLO_TIMEOUT_MS = 10_000;

/** Finds, dials and gates the padi that an invocation means. `start`: bring one up when none answers. */
export async function openPadi(
  invocation: Pick<Invocation, "endpoint">,
  context: Context,
  options: { start: boolean } = { start: false },
): Promise<PadiLink> {
  const { env, cwd } = context;
  const endpoint = await findEndpoint({ words: invocation.endpoint, env, cwd, mayStart: options.start });
  return openEndpoint(endpoint, context, options);
}

export async function openEndpoint(
  endpoint: Endpoint,
  context: Context,
  options: { start: boolean },
): Promise<PadiLink> {
  const link = await dial(endpoint).catch((error: unknown) => {
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

async function startAndDial(endpoint: Endpoint, context: Context): Promise<PadiLink> {
  if (endpoint.stateRoot === null)
    throw new Failure(
      `Nobody answers at ${endpoint.socketPath} (${endpoint.namedBy}), and a socket alone does not say whose state to use. To start kolu, name a --state-root.`,
    );
  await startOurDaemon("padi", { stateRoot: endpoint.stateRoot, env: context.env, entry: context.entry });
  const words = { socket: undefined, "state-root": endpoint.stateRoot, host: undefined };
  const started = await findEndpoint({ words, env: context.env, cwd: context.cwd, mayStart: false });
  const link = await dial(started);
  const verdict = judgePadi(link.hello);
  if (verdict.kind === "fine") return link;
  link.close();
  throw new Incompatible(verdict.sentence);
}

async function dial(endpoint: Endpoint): Promise<PadiLink> {
  const link: RpcLink<PadiContract> = await dialRpc(padiContract, { socketPath: endpoint.socketPath });
  try {
    const hello = await link.client.call("hello", {}, { signal: AbortSignal.timeout(HELLO_TIMEOUT_MS) });
    return { ...link, hello, endpoint: { ...endpoint, stateRoot: hello.stateRoot } };
  } catch (error) {
    link.close();
    // It went away between the dial and the first word: for the caller that is nobody.
    if (error instanceof LinkLost) throw new DialFailed(endpoint.socketPath, error);
    throw new Failure(
      `${endpoint.socketPath} (${endpoint.namedBy}) answers, but not as a padi does: ${(error as Error).message}`,
    );
  }
}

type Verdict = { kind: "fine" } | { kind: "too-old" | "too-new"; sentence: string };

/** Pure: may this face talk to that padi? */
export function judgePadi(hello: Hello, needed = PADI_PROTOCOL): Verdict {
  const fit = compareProtocol(hello.protocol, needed);
  if (fit === "same" || fit === "daemon-newer-minor") return { kind: "fine" };
  const versions = `padi ${hello.buildId} speaks ${hello.protocol}, this kolu needs ${needed}`;
  if (orderProtocol(hello.protocol, needed) < 0)
    return {
      kind: "too-old",
      sentence: `${versions}. \`kolu web\` or \`kolu create\` of this version replaces it; terminals keep running.`,
    };
  return { kind: "too-new", sentence: `${versions}. Use the kolu that it belongs to, or update this one.` };
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
