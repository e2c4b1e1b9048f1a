// What `kolu doctor` looks at. Starts nothing, changes nothing.
import { execFile } from "node:child_process";
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
const GH_TIMEOUT_MS = 5_000;

export async function look(
  { stateRoot, namedBy }: { stateRoot: string; namedBy: string },
  env: Environment,
): Promise<Seen> {
  const places = placesFor(stateRoot, env);
  const others = (await findDaemons("padi", env)).filter(
    (found) => found.places.stateRoot !== places.stateRoot,
  );
  const programs = await findPrograms(env);
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
    programs,
    ghSignedIn: programs.gh ? await isSignedIn(programs.gh, env) : null,
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

/** Null when gh does not say in time: it asks GitHub, and the network may be away. */
function isSignedIn(gh: string, env: Environment): Promise<boolean | null> {
  return new Promise((resolve) => {
    execFile(gh, ["auth", "status"], { env, timeout: GH_TIMEOUT_MS }, (error) => {
      if (error === null) resolve(true);
      else resolve(typeof error.code === "number" ? false : null);
    });
  });
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
