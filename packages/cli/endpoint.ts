import { dirname, join, resolve } from "node:path";
import { chooseDaemon, type FoundDaemon, findDaemons } from "@kolu/daemon/discovery.ts";
import { type Environment, everydayStateRoot, placesFor, readManifest } from "@kolu/daemon/places.ts";
import type { endpointFlags, FlagValues } from "./arguments.ts";
import { Failure, UsageError } from "./exit.ts";
import { readHostName } from "./remote/host-name.ts";

export type { Environment } from "@kolu/daemon/places.ts";
export type EndpointWords = FlagValues<typeof endpointFlags>;

export interface Endpoint {
  socketPath: string;
  /** Where a padi can be started when none answers; null: this endpoint cannot say. */
  stateRoot: string | null;
  /** What named it, for sentences: "--socket", "KOLU_STATE_ROOT", "discovery". */
  namedBy: string;
  /** The socket leads to this other machine, and the state root is a path there; absent: all is here. */
  host?: string;
}

export interface EndpointSearch {
  words: EndpointWords;
  env: Environment;
  cwd: string;
  /** The verb starts daemons: with nothing named and nothing running, the everyday state root is meant. */
  mayStart: boolean;
}

/** The padi of this machine that is meant. Rejects with UsageError or Failure; a blank variable counts as absent. */
export async function findEndpoint(search: EndpointSearch, find = findDaemons): Promise<Endpoint> {
  const { words, env, cwd } = search;
  if (words.host !== undefined)
    throw new UsageError(
      `--host: this verb works on the machine that it runs on. Run it there: ssh ${readHostName(words.host)}`,
    );
  if (words.socket !== undefined) return atSocket(resolve(cwd, words.socket), "--socket");
  if (words["state-root"] !== undefined)
    return atStateRoot(resolve(cwd, words["state-root"]), env, "--state-root");
  if (env.KOLU_STATE_ROOT) return atStateRoot(resolve(cwd, env.KOLU_STATE_ROOT), env, "KOLU_STATE_ROOT");
  if (env.PADI_SOCKET) return atSocket(resolve(cwd, env.PADI_SOCKET), "PADI_SOCKET");
  return discover(search, await find("padi", env));
}

async function atSocket(socketPath: string, namedBy: string): Promise<Endpoint> {
  const manifest = await readManifest(join(dirname(socketPath), "manifest.json"));
  return { socketPath, stateRoot: manifest?.stateRoot ?? null, namedBy };
}

function atStateRoot(stateRoot: string, env: Environment, namedBy: string): Endpoint {
  return { socketPath: placesFor(stateRoot, env).padiSocket, stateRoot, namedBy };
}

function discover(search: EndpointSearch, found: FoundDaemon[]): Endpoint {
  const choice = chooseDaemon(found, search.env);
  switch (choice.kind) {
    case "chosen":
      return {
        socketPath: choice.daemon.places.padiSocket,
        stateRoot: choice.daemon.places.stateRoot,
        namedBy: "discovery",
      };
    case "none": {
      if (!search.mayStart)
        throw new Failure(
          "No kolu is running. `kolu create` and `kolu web` start one; or name one with --state-root.",
        );
      const stateRoot = everydayStateRoot(search.env);
      return {
        socketPath: placesFor(stateRoot, search.env).padiSocket,
        stateRoot,
        namedBy: "the everyday state root",
      };
    }
    case "ambiguous":
      throw new Failure(
        [
          `${choice.found.length} kolus are running and none is the everyday one (${choice.everyday}). Name one:`,
          ...choice.found.map(({ places }) => `  PADI_SOCKET=${places.padiSocket} (${places.stateRoot})`),
        ].join("\n"),
      );
    default:
      return choice satisfies never;
  }
}
