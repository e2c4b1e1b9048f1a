// Starting padi and kaval from this very installation: the runtime that runs us, our own entry script, a hidden verb.

import { join } from "node:path";
import type { Hello } from "@kolu/contract/version.ts";
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { type Environment, placesFor, preparePlaces } from "@kolu/daemon/places.ts";
import { startDaemon } from "@kolu/daemon/start-daemon.ts";

/** Hidden verbs of `kolu` that become a daemon. */
export const daemonVerbs = { __kaval: "kaval", __padi: "padi" } as const;
export type DaemonName = (typeof daemonVerbs)[keyof typeof daemonVerbs];

/** What names a terminal or its daemon belongs to the caller's terminal, not to a daemon that outlives it. */
const CALLERS_OWN = /^(KAVAL_|PADI_|KOLU_)/;

/** Starts a daemon for a state root; resolves with the hello of whoever serves it then. Rejects with DaemonNotServing. */
export async function startOurDaemon(
  name: DaemonName,
  options: { stateRoot: string; env: Environment; entry: string },
): Promise<Hello> {
  const places = placesFor(options.stateRoot, options.env);
  await preparePlaces(places);
  return startDaemon({
    name,
    command: [process.execPath, options.entry, `__${name}`, "--state-root", places.stateRoot],
    env: daemonEnvironment(options.env),
    socketPath: name === "padi" ? places.padiSocket : places.kavalSocket,
    logPath: join(places.logs, `${name}.log`),
  });
}

function daemonEnvironment(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(env))
    if (value !== undefined && !CALLERS_OWN.test(key)) kept[key] = value;
  return kept;
}

/** True when the daemon's code is of an older version than ours: a face that starts daemons then replaces it. */
export function isOlderBuild(daemonBuildId: string, ours = koluVersion()): boolean {
  const theirs = versionNumbers(daemonBuildId);
  const own = versionNumbers(ours);
  for (let index = 0; index < 3; index++)
    if (theirs[index] !== own[index]) return (theirs[index] ?? 0) < (own[index] ?? 0);
  return false;
}

function versionNumbers(version: string): number[] {
  return (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? "0.0.0").split(".").map(Number);
}
