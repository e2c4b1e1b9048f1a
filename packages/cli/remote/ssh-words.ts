// The command lines of ssh. Pure. No secret ever stands on them.
import type { Environment } from "@kolu/daemon/places.ts";

/** Names an ssh_config to read in place of the user's: for tests, and for who keeps kolu's hosts apart. */
const CONFIG_VARIABLE = "KOLU_SSH_CONFIG";
/** Until the host answers; an unreachable one is told within this. */
const CONNECT_TIMEOUT_S = 10;
/** A network that swallows everything is noticed after three of these. */
const ALIVE_INTERVAL_S = 10;

/** Printed by the host once it has let us in. */
export const LET_IN = "kolu-is-in";

/**
 * The one connection, over which everything else goes. On the far side it only waits for our end of stdin: when this
 * process dies, however it does, the connection goes with it.
 */
export function connectWords(host: string, controlPath: string, env: Environment): string[] {
  return [
    ...configWords(env),
    "-T",
    ...options({
      // Nobody is there to answer: whatever would ask fails instead.
      BatchMode: "yes",
      ConnectTimeout: CONNECT_TIMEOUT_S,
      ServerAliveInterval: ALIVE_INTERVAL_S,
      ServerAliveCountMax: 3,
      // A connection of our own, whatever the user shares.
      ControlMaster: "yes",
      ControlPath: controlPath,
      ControlPersist: "no",
      // What the user's configuration sets for sessions at a keyboard.
      ClearAllForwardings: "yes",
      RemoteCommand: "none",
      PermitLocalCommand: "no",
      ForwardAgent: "no",
      ForwardX11: "no",
      LogLevel: "INFO",
    }),
    "--",
    host,
    // Read by the user's login shell over there, whichever that is.
    `echo ${LET_IN}; exec cat`,
  ];
}

/** Runs what it reads on stdin by the host's `sh`, over the connection. The user's configuration has had its say. */
export function scriptWords(host: string, controlPath: string): string[] {
  return [...overConnection(controlPath), "-T", "--", host, "exec sh -s"];
}

/** Makes `localPath` here lead to `remotePath` there, over the connection and for as long as that lives. */
export function forwardWords(
  host: string,
  controlPath: string,
  { localPath, remotePath }: { localPath: string; remotePath: string },
): string[] {
  return [...overConnection(controlPath), "-O", "forward", "-L", `${localPath}:${remotePath}`, "--", host];
}

function overConnection(controlPath: string): string[] {
  return [
    "-F",
    "none",
    ...options({
      BatchMode: "yes",
      ControlMaster: "no",
      ControlPath: controlPath,
      // Without the connection ssh would make another, by a name that only the user's configuration can read: fail instead.
      ProxyCommand: "false",
    }),
  ];
}

function configWords(env: Environment): string[] {
  const path = env[CONFIG_VARIABLE];
  return path ? ["-F", path] : [];
}

function options(values: Record<string, string | number>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** `-L` splits at colons, and expands percent signs and variables: a path with one of them is not forwarded. */
export function canBeForwarded(path: string): boolean {
  return path.startsWith("/") && !/[:%$\\\u0000-\u001f\u007f]/.test(path);
}
