// Starting a daemon that outlives its starter, and knowing when it serves.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Contract } from "@kolu/contract/rpc.ts";
import { call } from "@kolu/contract/rpc.ts";
import { Hello } from "@kolu/contract/version.ts";
import { dialRpc } from "@kolu/wire/dial.ts";
import { z } from "zod";

/** The part of every daemon's contract that never changes. */
export const controlContract = {
  hello: call(z.object({}), Hello),
  drain: call(z.object({ reason: z.string() }), z.object({})),
} as const satisfies Contract;

/** A log above this is set aside as .old when its daemon starts. */
const LOG_MAX_BYTES = 10 * 1024 * 1024;

/** What the socket's owner says of itself, or null when nobody answers there. */
export async function askHello(socketPath: string, timeoutMs = 5_000): Promise<Hello | null> {
  try {
    await using link = await dialRpc(controlContract, { socketPath });
    return await link.client.call("hello", {}, { signal: AbortSignal.timeout(timeoutMs) });
  } catch {
    // Nobody there, or somebody who does not speak: neither is a daemon of ours that one could talk to.
    return null;
  }
}

/** Asks a padi to flush and leave; resolves when its connection is gone or the time is up (false). */
export async function askDrain(socketPath: string, reason: string, timeoutMs = 5_000): Promise<boolean> {
  const link = await dialRpc(controlContract, { socketPath });
  try {
    await link.client.call("drain", { reason }, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {});
    return await Promise.race([
      link.closed.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false).unref()),
    ]);
  } finally {
    link.close();
  }
}

export class DaemonNotServing extends Error {
  readonly logPath: string;
  constructor(name: string, logPath: string, reason: string) {
    super(`${name} did not start (${reason}). Its log: ${logPath}`);
    this.name = "DaemonNotServing";
    this.logPath = logPath;
  }
}

export interface StartOptions {
  name: string;
  /** Absolute path of the runtime, then its arguments. */
  command: [string, ...string[]];
  env: Record<string, string>;
  socketPath: string;
  logPath: string;
  /** How long the daemon may take until it answers. */
  timeoutMs?: number;
}

const START_TIMEOUT_MS = 15_000;

/**
 * Starts a daemon in a session of its own and resolves with its hello. Two starters at once are fine: the loser's process
 * finds the pid file held and exits, and both are answered by the winner. Rejects with DaemonNotServing.
 */
export async function startDaemon(options: StartOptions): Promise<Hello> {
  await rotate(options.logPath);
  const log = await open(options.logPath, "a", 0o600);
  const [file, ...args] = options.command;
  const child = spawn(file, args, {
    detached: true,
    // A daemon must not keep a directory busy that somebody wants to remove.
    cwd: "/",
    env: options.env,
    stdio: ["ignore", "ignore", log.fd],
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`exit ${code ?? signal}`));
  });
  child.unref();
  await log.close();

  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), options.timeoutMs ?? START_TIMEOUT_MS);
  try {
    // A process that leaves with status 0 found another daemon at its place: wait for that one instead.
    const failed = exited.then((how) =>
      how === "exit 0" ? new Promise<never>(() => {}) : Promise.resolve(how),
    );
    const outcome = await Promise.race([whenServing(options.socketPath, abort.signal), failed]);
    if (typeof outcome === "string") throw new DaemonNotServing(options.name, options.logPath, outcome);
    if (!outcome) throw new DaemonNotServing(options.name, options.logPath, "it does not answer");
    return outcome;
  } finally {
    clearTimeout(deadline);
    abort.abort();
  }
}

/** Resolves with the hello of whoever serves the socket, as soon as it appears and answers; null when aborted first. */
export async function whenServing(socketPath: string, signal: AbortSignal): Promise<Hello | null> {
  let changed = (): void => {};
  const watcher = watch(dirname(socketPath), (_event, name) => {
    if (name === null || name === basename(socketPath)) changed();
  });
  try {
    while (!signal.aborted) {
      const next = new Promise<void>((resolve) => {
        changed = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
        // Heals a lost notice: the socket file appears before it accepts, and some file systems report nothing.
        setTimeout(resolve, 50).unref();
      });
      const hello = await askHello(socketPath);
      if (hello) return hello;
      await next;
    }
    return null;
  } finally {
    watcher.close();
  }
}

async function rotate(path: string): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > LOG_MAX_BYTES) await rename(path, `${path}.old`);
}
