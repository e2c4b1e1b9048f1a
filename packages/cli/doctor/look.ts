// What `kolu doctor` looks at. Starts nothing, changes nothing.
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { findDaemons } from "@kolu/daemon/discovery.ts";
import { readHolder } from "@kolu/daemon/pid-file.ts";
import { type Environment, placesFor } from "@kolu/daemon/places.ts";
import { askHello } from "@kolu/daemon/start-daemon.ts";
import { findServers } from "@kolu/web/link.ts";
import { isOlderBuild } from "../daemons.ts";
import { type DaemonSeen, type Seen, WANTED_PROGRAMS } from "./findings.ts";

const HELLO_TIMEOUT_MS = 3_000;

export async function look(
  { stateRoot, namedBy }: { stateRoot: string; namedBy: string },
  env: Environment,
): Promise<Seen> {
  const places = placesFor(stateRoot, env);
  const others = (await findDaemons("padi", env)).filter(
    (found) => found.places.stateRoot !== places.stateRoot,
  );
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    stateRoot: places.stateRoot,
    namedBy,
    stateRootMode: await modeOf(places.stateRoot),
    runtime: places.runtime,
    runtimeMode: await modeOf(places.runtime),
    padi: await lookAtDaemon(places.padiSocket, places.padiPid),
    kaval: await lookAtDaemon(places.kavalSocket, places.kavalPid),
    ourBuild: koluVersion(),
    ourProtocol: PADI_PROTOCOL,
    webServers: await findServers(places.stateRoot, env),
    programs: await findPrograms(env),
    shell: env.SHELL ?? null,
    locale: env.LC_ALL || env.LC_CTYPE || env.LANG || "",
    others: others.map((found) => found.places.stateRoot),
  };
}

async function modeOf(path: string): Promise<number | null> {
  return stat(path).then(
    (stats) => stats.mode,
    () => null,
  );
}

async function lookAtDaemon(socketPath: string, pidPath: string): Promise<DaemonSeen> {
  const hello = await askHello(socketPath, HELLO_TIMEOUT_MS);
  if (hello) {
    const { buildId, pid, protocol } = hello;
    return { state: "answers", buildId, pid, protocol, older: isOlderBuild(buildId) };
  }
  const holder = await readHolder(pidPath);
  return holder === null ? { state: "absent" } : { state: "mute", pid: holder.pid };
}

async function findPrograms(env: Environment): Promise<Record<string, string | null>> {
  const entries = await Promise.all(
    WANTED_PROGRAMS.map(async (name) => [name, await findOnPath(name, env)] as const),
  );
  return Object.fromEntries(entries);
}

async function findOnPath(name: string, env: Environment): Promise<string | null> {
  for (const directory of (env.PATH ?? "").split(delimiter)) {
    if (directory === "") continue;
    const path = join(directory, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}
