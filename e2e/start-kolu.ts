// A whole kolu for a test: its own home, state root and runtime directory, real daemons, started through the real command.
//
//   await using kolu = await startKolu();
//   const { stdout } = await kolu.run(["create", "--toplevel"]);
//
// Leaving the scope ends everything and fails the test when a process outlives it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kavalContract } from "@kolu/contract/kaval.ts";
import { type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { readHolder } from "@kolu/daemon/pid-file.ts";
import { type Places, placesFor } from "@kolu/daemon/places.ts";
import { dialRpc, type RpcLink } from "@kolu/wire/dial.ts";

const ROOT = join(import.meta.dirname, "..");
const ENTRY = join(ROOT, "packages", "cli", "bin", "kolu.js");
/** Each command of a test has this long; a busy machine is slow, a hanging command is a failure. */
const RUN_TIMEOUT_MS = 45_000;
/** How long daemons and shells may take to leave at the end. */
const LEAVE_TIMEOUT_MS = 15_000;

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** What the command reads; absent: stdin is /dev/null. */
  stdin?: string | Uint8Array;
  /** Added to the environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** A command that is still running. */
export interface Running {
  pid: number;
  /** Everything that it has printed so far. */
  printed(): { stdout: string; stderr: string };
  /** Resolves when stdout matches; rejects when the command ends first. */
  whenPrinted(pattern: RegExp): Promise<void>;
  whenSaid(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ran>;
}

export interface Kolu extends AsyncDisposable {
  home: string;
  places: Places;
  /** The environment of every command. */
  env: Record<string, string>;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Like `run`; throws unless the command exits 0. Resolves with stdout without the last newline. */
  ok(args: readonly string[], options?: RunOptions): Promise<string>;
  start(args: readonly string[], options?: RunOptions): Running;
  /** A connection of its own; the caller closes it. */
  padi(): Promise<RpcLink<PadiContract>>;
  /** Resolves once a wait in padi listens to the terminal's output. */
  whenListenedTo(id: string): Promise<void>;
  /** Resolves once nobody does any more. */
  whenNotListenedTo(id: string): Promise<void>;
  pids(): Promise<{ padi: number | null; kaval: number | null }>;
}

export interface StartKoluOptions {
  /** False: no daemon runs yet. */
  daemons?: boolean;
  /** Another script than the checkout's, such as that of an installed package. */
  entry?: string;
  env?: Record<string, string>;
}

export async function startKolu(options: StartKoluOptions = {}): Promise<Kolu> {
  // Short, because a unix socket's path may have 104 bytes; real, because the temporary directory may be a link.
  const base = await mkdtemp(join(await realpath(tmpdir()), "ke-"));
  const home = join(base, "h");
  await mkdir(home);
  await mkdir(join(base, "r"), { mode: 0o700 });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    XDG_RUNTIME_DIR: join(base, "r"),
    KOLU_STATE_ROOT: join(base, "s"),
    // Compiled code is shared by all tests: a fresh home would compile everything anew.
    NODE_COMPILE_CACHE: join(ROOT, "node_modules", ".cache", "kolu-code"),
    ...options.env,
  };
  const places = placesFor(env.KOLU_STATE_ROOT!, env);
  const entry = options.entry ?? ENTRY;
  const running = new Set<ChildProcess>();

  const start = (args: readonly string[], runOptions: RunOptions = {}): Running =>
    startCommand([entry, ...args], { ...runOptions, env: { ...env, ...runOptions.env }, home, running });

  const kolu: Kolu = {
    home,
    places,
    env,
    start,
    run: (args, runOptions) => bounded(start(args, runOptions), args),
    async ok(args, runOptions) {
      const ran = await kolu.run(args, runOptions);
      if (ran.code !== 0) throw new Error(`kolu ${args.join(" ")} ended with ${ran.code}:\n${ran.stderr}`);
      return ran.stdout.replace(/\n$/, "");
    },
    padi: () => dialRpc(padiContract, { socketPath: places.padiSocket }),
    whenListenedTo: (id) => whenViewed(places.kavalSocket, id, (viewers) => viewers > 0),
    whenNotListenedTo: (id) => whenViewed(places.kavalSocket, id, (viewers) => viewers === 0),
    async pids() {
      const [padi, kaval] = await Promise.all([readHolder(places.padiPid), readHolder(places.kavalPid)]);
      return { padi: padi?.pid ?? null, kaval: kaval?.pid ?? null };
    },
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill("SIGKILL");
      try {
        await endDaemons(kolu);
      } finally {
        await rm(base, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
  if (options.daemons !== false) {
    await kolu.ok(["restore"]);
    await whenKavalIsThere(kolu);
  }
  return kolu;
}

function startCommand(
  args: string[],
  options: RunOptions & { home: string; running: Set<ChildProcess> },
): Running {
  const env = Object.fromEntries(
    Object.entries(options.env ?? {}).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? options.home,
    env,
    stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  options.running.add(child);
  child.stdin?.on("error", () => {}).end(options.stdin);
  const printed = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      for (const listener of listeners) listener();
    });
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      options.running.delete(child);
      resolve({ code, signal, ...printed });
      for (const listener of listeners) listener();
    });
  });
  const when = (name: "stdout" | "stderr", pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(printed[name])) resolve();
        else if (child.exitCode !== null || child.signalCode !== null)
          reject(new Error(`ended before ${pattern}: ${printed.stdout}${printed.stderr}`));
        else return;
        listeners.delete(look);
      };
      listeners.add(look);
      look();
    });
  return {
    pid: child.pid ?? -1,
    printed: () => ({ ...printed }),
    whenPrinted: (pattern) => when("stdout", pattern),
    whenSaid: (pattern) => when("stderr", pattern),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

async function bounded(running: Running, args: readonly string[]): Promise<Ran> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      running.kill("SIGKILL");
      const { stdout, stderr } = running.printed();
      reject(new Error(`kolu ${args.join(" ")} hangs. stdout: ${stdout} stderr: ${stderr}`));
    }, RUN_TIMEOUT_MS);
  });
  try {
    return await Promise.race([running.ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** padi answers before its kaval is up; a test that looks for kaval's process would otherwise be too early. */
async function whenKavalIsThere(kolu: Kolu): Promise<void> {
  await using link = await kolu.padi();
  for await (const status of link.client.subscribe("status.watch", {}))
    if (status.kaval.state === "connected") return;
}

async function whenViewed(
  kavalSocket: string,
  id: string,
  holds: (viewers: number) => boolean,
): Promise<void> {
  await using link = await dialRpc(kavalContract, { socketPath: kavalSocket });
  for await (const item of link.client.subscribe("terminal.watch", {})) {
    const rows = item.kind === "snapshot" ? item.terminals : item.kind === "changed" ? [item.terminal] : [];
    if (rows.some((row) => row.id === id && holds(row.viewers))) return;
  }
  throw new Error("kaval ended its feed.");
}

/** padi first: it would start a kaval that went away again. Throws naming what is left; nothing is left afterwards. */
async function endDaemons(kolu: Kolu): Promise<void> {
  const { padi } = await kolu.pids();
  if (padi !== null) process.kill(padi, "SIGTERM");
  if (padi !== null) await untilGone(async () => (isAlive(padi) ? [`padi ${padi}`] : []));
  let asked: number | null = null;
  await untilGone(async () => {
    // Looked up each time: a kaval that was just being started has no pid file yet.
    const { kaval } = await kolu.pids();
    if (kaval !== null && kaval !== asked) process.kill(kaval, "SIGTERM");
    asked = kaval ?? asked;
    return processesOf(kolu.home);
  });
}

async function untilGone(left: () => Promise<string[]>): Promise<void> {
  const giveUpAtMs = Date.now() + LEAVE_TIMEOUT_MS;
  for (let rest = await left(); rest.length > 0; rest = await left()) {
    if (Date.now() > giveUpAtMs) {
      for (const line of rest) killQuietly(Number(/\d+/.exec(line)?.[0]));
      throw new Error(`Processes outlive the test: ${rest.join(", ")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}

/** Every process whose home is this test's: daemons, shells and whatever they started. Linux only; elsewhere none. */
async function processesOf(home: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const environ = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (!environ.split("\0").includes(`HOME=${home}`)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    // A process without a command line has ended and waits for its parent.
    if (command !== "") found.push(`${pid} ${command.replaceAll("\0", " ").trim()}`);
  }
  return found;
}
