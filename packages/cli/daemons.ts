// Starting padi and kaval from this very installation: the runtime that runs us, our own entry script, a hidden verb.
import { join } from "node:path";
import type { Hello } from "@kolu/contract/version.ts";
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { claimPidFile } from "@kolu/daemon/pid-file.ts";
import { type Environment, placesFor, preparePlaces } from "@kolu/daemon/places.ts";
import { askHello, DaemonNotServing, startDaemon, whenServing } from "@kolu/daemon/start-daemon.ts";
import type { DaemonName } from "./daemon-verbs.ts";

/** Names the caller's own terminal and daemons; a daemon that outlives it is another one's. */
const CALLERS_OWN = new Set([
  "KAVAL_SOCKET",
  "KAVAL_TERMINAL_ID",
  "KOLU_STATE_ROOT",
  "KOLU_TERMINAL_TOOLS_PATH",
  "PADI_SOCKET",
]);

/**
 * For glibc's allocator in kaval, which reads these once, at start; others ignore them. By default it keeps what terminals
 * took after they have closed, and takes more for the next ones: blocks of a few kilobytes lie between others that live on,
 * and the limit for mappings of their own rises with the first large block that is freed. Measured with thirty full
 * histories, closed, thirty more, closed: 82 MB became 248; with these 118.
 */
const GIVE_MEMORY_BACK = {
  MALLOC_MMAP_THRESHOLD_: "4096",
  MALLOC_MMAP_MAX_: "1000000",
  MALLOC_TRIM_THRESHOLD_: "65536",
  MALLOC_TOP_PAD_: "0",
};

/** How long somebody else's start of the same daemon is waited for before we look whether it still goes on. */
const OTHER_STARTER_PATIENCE_MS = 500;
/** How long a start may take in all, whoever does it. */
const START_TIMEOUT_MS = 20_000;

interface DaemonStart {
  stateRoot: string;
  env: Environment;
  entry: string;
}

/**
 * Starts a daemon for a state root; resolves with the hello of whoever serves it then. Of many starters at once (twenty
 * waiting verbs whose padi died) one starts it and the others wait for that one: twenty processes coming up together would
 * keep each other from being there within the second. Rejects with DaemonNotServing.
 */
export async function startOurDaemon(name: DaemonName, start: DaemonStart): Promise<Hello> {
  const places = placesFor(start.stateRoot, start.env);
  await preparePlaces(places);
  const { pidPath, socketPath } =
    name === "padi"
      ? { pidPath: places.padiPid, socketPath: places.padiSocket }
      : { pidPath: places.kavalPid, socketPath: places.kavalSocket };
  const logPath = join(places.logs, `${name}.log`);
  const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAtMs) {
    const turn = await claimPidFile(`${pidPath}.starter`);
    if (turn.kind === "claimed") {
      try {
        // Another starter may have finished just before our turn came.
        const serving = await askHello(socketPath);
        if (serving) return serving;
        const command: [string, ...string[]] = [process.execPath, start.entry, `__${name}`, "--state-root"];
        command.push(places.stateRoot);
        const env = { ...(name === "kaval" ? GIVE_MEMORY_BACK : {}), ...daemonEnvironment(start.env) };
        return await startDaemon({ name, command, env, socketPath, logPath });
      } finally {
        await turn.release();
      }
    }
    const hello = await whenServing(socketPath, AbortSignal.timeout(OTHER_STARTER_PATIENCE_MS));
    if (hello) return hello;
  }
  throw new DaemonNotServing(name, logPath, "others try to start it, and it does not answer");
}

function daemonEnvironment(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(env))
    if (value !== undefined && !CALLERS_OWN.has(key)) kept[key] = value;
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
