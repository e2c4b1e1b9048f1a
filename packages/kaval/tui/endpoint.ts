// Which kaval a command line means, and a checked connection to it.
import { matchPrefix, shortId, type TerminalId } from "@kolu/contract/ids.ts";
import { type KavalTerminal, kavalContract } from "@kolu/contract/kaval.ts";
import { compareProtocol, type Hello, KAVAL_PROTOCOL } from "@kolu/contract/version.ts";
import { chooseDaemon, findDaemons } from "@kolu/daemon/discovery.ts";
import { type Environment, everydayStateRoot, placesFor } from "@kolu/daemon/places.ts";
import { askHello } from "@kolu/daemon/start-daemon.ts";
import { DialFailed, dialRpc, type RpcLink } from "@kolu/wire/dial.ts";
import { type Invocation, UsageError } from "./arguments.ts";

/** A sentence for a person: no daemon, a daemon that we cannot speak with, a world that does not let us. */
export class Failure extends Error {
  override name = "Failure";
}

export interface KavalLink extends AsyncDisposable {
  client: RpcLink<typeof kavalContract>["client"];
  closed: Promise<void>;
  hello: Hello;
  socketPath: string;
}

/** Starts the kaval of a state root; resolves once it answers. */
export type StartKaval = (stateRoot: string) => Promise<Hello>;

interface Endpoint {
  socketPath: string;
  /** Null when only the socket is known: then nothing can be started. */
  stateRoot: string | null;
}

/** Connects to the kaval that is meant. With `start`, one is started where none runs. Rejects with UsageError, Failure. */
export async function openKaval(
  invocation: Invocation,
  env: Environment,
  start?: StartKaval,
): Promise<KavalLink> {
  const endpoint = await findEndpoint(invocation, env, start !== undefined);
  const hello = await askHello(endpoint.socketPath);
  if (!hello && start && endpoint.stateRoot !== null) await start(endpoint.stateRoot);
  return connect(endpoint.socketPath);
}

async function findEndpoint(invocation: Invocation, env: Environment, mayStart: boolean): Promise<Endpoint> {
  const socket = invocation.texts.get("socket")?.[0];
  if (socket !== undefined) return { socketPath: socket, stateRoot: null };
  const stateRoot = invocation.texts.get("state-root")?.[0] ?? env.KOLU_STATE_ROOT;
  if (stateRoot) return atStateRoot(stateRoot, env);
  if (env.KAVAL_SOCKET) return { socketPath: env.KAVAL_SOCKET, stateRoot: null };
  const found = await findDaemons("kaval", env);
  const choice = chooseDaemon(found, env);
  switch (choice.kind) {
    case "chosen":
      return {
        socketPath: choice.daemon.places.kavalSocket,
        stateRoot: choice.daemon.places.stateRoot,
      };
    case "none":
      if (mayStart) return atStateRoot(everydayStateRoot(env), env);
      throw new Failure("No kaval runs. `kaval-tui create` starts one.");
    case "ambiguous": {
      const list = choice.found.map(({ places }) => `  ${places.kavalSocket} (${places.stateRoot})`);
      throw new Failure(
        `Several kavals run and none is at ${choice.everyday}; name one with --socket or --state-root:\n${list.join("\n")}`,
      );
    }
    default:
      return choice satisfies never;
  }
}

function atStateRoot(stateRoot: string, env: Environment): Endpoint {
  const places = placesFor(stateRoot, env);
  return { socketPath: places.kavalSocket, stateRoot: places.stateRoot };
}

async function connect(socketPath: string): Promise<KavalLink> {
  let link: RpcLink<typeof kavalContract>;
  try {
    link = await dialRpc(kavalContract, { socketPath });
  } catch (error) {
    if (error instanceof DialFailed)
      throw new Failure(`No kaval answers at ${socketPath}. \`kaval-tui create\` starts one.`, {
        cause: error,
      });
    throw error;
  }
  const hello = await link.client.call("hello", {});
  const fit = compareProtocol(hello.protocol, KAVAL_PROTOCOL);
  if (fit === "incompatible" || fit === "daemon-older-minor") {
    link.close();
    throw new Failure(
      `The kaval at ${socketPath} speaks protocol ${hello.protocol}, this kaval-tui needs ${KAVAL_PROTOCOL}. Restart that kaval (its terminals end) or use the kaval-tui that belongs to it.`,
    );
  }
  return {
    client: link.client,
    closed: link.closed,
    hello,
    socketPath,
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}

/** The one terminal whose id begins so. Rejects with UsageError. */
export async function findTerminal(link: KavalLink, typed: string): Promise<KavalTerminal> {
  const { terminals } = await link.client.call("terminal.list", {});
  const match = matchPrefix(
    typed,
    terminals.map((terminal) => terminal.id),
  );
  if (match.kind === "none") throw new UsageError(`no terminal matching ${JSON.stringify(typed)}`);
  if (match.kind === "ambiguous")
    throw new UsageError(
      `${JSON.stringify(typed)} matches several terminals: ${match.ids.map(shortId).join(" ")}`,
    );
  return terminals.find((terminal) => terminal.id === (match.id as TerminalId))!;
}
