// One ssh connection to another machine, and what goes over it: scripts, and unix sockets of its own that lead to some over
// there. OpenSSH does the work; this file starts it, tells when it is up, and when it is gone.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Environment } from "@kolu/daemon/places.ts";
import { HostFailure, judgeSsh } from "./host-failure.ts";
import { canBeForwarded, connectWords, forwardWords, LET_IN, scriptWords } from "./ssh-words.ts";

/** From the first packet to a shell over there: an agent that asks a person to touch a key needs some of it. */
const LET_IN_TIMEOUT_MS = 30_000;
/** A request to the connection itself, on this machine. */
const FORWARD_TIMEOUT_MS = 10_000;
/** What ssh says is kept up to here: the end of it tells why. */
const SAID_MAX_CHARS = 16_384;
/** ssh adds 17 bytes to the path of its control socket while it makes it, and a socket's path may have 103. */
const DIRECTORY_MAX_CHARS = 70;
const DIRECTORY_PREFIX = "kolu-h-";
const CONTROL = "c";
/** A directory without a control socket that is older was left by a process that was killed; a younger one may get it yet. */
const SWEEP_AFTER_MS = 5 * 60_000;

export interface Tunnel {
  host: string;
  /** Whether the connection still stands. */
  isOpen(): boolean;
  /** Runs a script by the host's `sh`; resolves with what it printed and said, whatever its exit. Rejects with HostFailure. */
  runScript(script: string, timeoutMs: number): Promise<Pick<Ended, "printed" | "said">>;
  /** A socket here, ours alone, that leads to the one over there. Rejects with HostFailure. */
  forward(remotePath: string): Promise<string>;
  /** Why the connection is gone, or what its last words tell. */
  failure(): HostFailure;
}

interface Ended {
  /** The exit status or the signal's name. */
  exit: string;
  printed: string;
  said: string;
}

const tunnels = new Map<string, Promise<Tunnel>>();

/** The connection of this process to that host: opened once, used by all, gone with the process. Rejects with HostFailure. */
export function tunnelTo(host: string, env: Environment): Promise<Tunnel> {
  const known = tunnels.get(host);
  if (known) return known;
  const forget = (): void => {
    if (tunnels.get(host) === opening) tunnels.delete(host);
  };
  const opening = openTunnel(host, env, forget);
  tunnels.set(host, opening);
  opening.catch(forget);
  return opening;
}

async function openTunnel(host: string, env: Environment, onGone: () => void): Promise<Tunnel> {
  const base = tmpdir().length <= DIRECTORY_MAX_CHARS ? tmpdir() : "/tmp";
  await sweep(base);
  // mkdtemp makes it 0700: whoever could reach a socket in it could type into terminals.
  const directory = await mkdtemp(join(base, DIRECTORY_PREFIX));
  const controlPath = join(directory, CONTROL);
  const ssh = startSsh(connectWords(host, controlPath, env), env);
  const end = (): void => {
    ssh.child.kill();
    rmSync(directory, { recursive: true, force: true });
  };
  process.once("exit", end);
  let open = true;
  const ended = ssh.ended.finally(() => {
    open = false;
    process.off("exit", end);
    rmSync(directory, { recursive: true, force: true });
    onGone();
  });
  ended.catch(() => {});
  await letIn(host, ssh);

  const forwards = new Map<string, Promise<string>>();
  async function forward(remotePath: string): Promise<string> {
    if (!canBeForwarded(remotePath))
      throw new HostFailure("host-kolu-failed", host, `ssh cannot forward to ${JSON.stringify(remotePath)}.`);
    const localPath = join(directory, `p${forwards.size}`);
    const words = forwardWords(host, controlPath, { localPath, remotePath });
    const { exit, said } = await within(startSsh(words, env), FORWARD_TIMEOUT_MS);
    if (exit !== "0") throw judgeSsh(host, ssh.said() || said, "255");
    return localPath;
  }
  return {
    host,
    isOpen: () => open,
    failure: () => judgeSsh(host, ssh.said(), "255"),
    async runScript(script, timeoutMs) {
      const asked = await within(startSsh(scriptWords(host, controlPath), env, script), timeoutMs);
      if (asked.exit === "late")
        throw new HostFailure(
          "host-kolu-failed",
          host,
          `kolu on ${host} does not answer within ${timeoutMs / 1000} s. Does \`ssh ${host} kolu status\` work?`,
        );
      // The connection broke under it.
      if (asked.exit === "255") throw judgeSsh(host, ssh.said() || asked.said, "255");
      return asked;
    },
    forward(remotePath) {
      const known = forwards.get(remotePath);
      if (known) return known;
      const made = forward(remotePath);
      forwards.set(remotePath, made);
      made.catch(() => forwards.delete(remotePath));
      return made;
    },
  };
}

/** Takes away what killed processes have left: ssh removes its control socket when it ends, whatever else it leaves. */
async function sweep(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(DIRECTORY_PREFIX)) continue;
    const path = join(base, name);
    const stats = await lstat(path).catch(() => null);
    if (!stats?.isDirectory() || stats.uid !== userInfo().uid) continue;
    if (Date.now() - stats.mtimeMs < SWEEP_AFTER_MS || existsSync(join(path, CONTROL))) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Resolves when the host has let us in. Rejects with HostFailure. */
async function letIn(host: string, ssh: Ssh): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, LET_IN_TIMEOUT_MS, "late");
  });
  const outcome = await Promise.race([ssh.whenPrinted(LET_IN), ssh.ended, late]);
  clearTimeout(timer);
  if (outcome === "printed") return;
  ssh.child.kill();
  if (outcome === "late")
    throw new HostFailure(
      "host-unreachable",
      host,
      `${host} did not let us in within ${LET_IN_TIMEOUT_MS / 1000} s. Does \`ssh ${host}\` work?`,
    );
  if (outcome.exit === "ENOENT")
    throw new HostFailure("ssh-missing", host, "--host needs OpenSSH: there is no ssh on PATH.");
  throw judgeSsh(host, outcome.said, outcome.exit);
}

interface Ssh {
  child: ChildProcess;
  said(): string;
  /** Resolves once stdout has a line of these words alone; never, when it does not come to that. */
  whenPrinted(line: string): Promise<"printed">;
  /** Never rejects. */
  ended: Promise<Ended>;
}

/** Without `input`, stdin stays open for as long as this process lives. */
function startSsh(words: string[], env: Environment, input?: string): Ssh {
  // A session of its own: a Ctrl-C at our terminal is ours to answer, and there is no terminal to ask a person on.
  const child = spawn("ssh", words, { env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  // It may be gone before it has read everything: its exit tells.
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.end(input);
  let printed = "";
  let said = "";
  let onPrinted = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    onPrinted();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-SAID_MAX_CHARS);
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ exit: error.code ?? error.message, printed, said }),
    );
    child.once("close", (code, signal) => resolve({ exit: String(code ?? signal), printed, said }));
  });
  return {
    child,
    said: () => said,
    whenPrinted: (line) =>
      new Promise((resolve) => {
        onPrinted = () => {
          if (printed.split(/\r?\n/).includes(line)) resolve("printed");
        };
        onPrinted();
      }),
    ended,
  };
}

/** How it ended, or "late" as its exit. */
async function within(ssh: Ssh, timeoutMs: number): Promise<Ended> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ssh.child.kill();
  }, timeoutMs);
  const ended = await ssh.ended;
  clearTimeout(timer);
  return late ? { ...ended, exit: "late" } : ended;
}
