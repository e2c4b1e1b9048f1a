// For tests: a real padi and a real kaval in processes of their own, with a state root, runtime directory and home that
// nobody else uses.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { type KavalContract, kavalContract } from "@kolu/contract/kaval.ts";
import { applyFrame } from "@kolu/contract/live-view.ts";
import { type CreateParams, type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import type { Client } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type Places, placesFor } from "@kolu/daemon/places.ts";
import { whenServing } from "@kolu/daemon/start-daemon.ts";
import { dialRpc, type RpcLink } from "@kolu/wire/dial.ts";

// Scripts of the older kind: a flag for the newer one would be handed on to kaval's worker threads, which refuse it.
const RUN_PADI = `
  (async ([startDaemonUrl, mainUrl, settings]) => {
    const { startDaemon } = await import(startDaemonUrl);
    const { runPadi } = await import(mainUrl);
    const { stateRoot, kaval } = JSON.parse(settings);
    process.exit(await runPadi({ stateRoot, startKaval: () => startDaemon({ ...kaval, env: process.env }) }));
  })(process.argv.slice(1));
`;
const RUN_KAVAL = `
  (async ([mainUrl, stateRoot]) => {
    const { runKaval } = await import(mainUrl);
    process.exit(await runKaval({ stateRoot }));
  })(process.argv.slice(1));
`;

export interface TestPadi extends AsyncDisposable {
  places: Places;
  home: string;
  pid: number;
  client: Client<PadiContract>;
  /** The mirror that a face would hold. */
  records: ReadonlyMap<string, TerminalRecord>;
  /** What padi has written to its log so far. */
  log(): string;
  create(params?: Partial<CreateParams>): Promise<TerminalId>;
  /** Resolves with the record as soon as it is like that; undefined stands for a record that is not there. */
  until<T extends TerminalRecord | undefined>(
    id: string,
    holds: (record: TerminalRecord | undefined) => record is T,
  ): Promise<T>;
  until(
    id: string,
    holds: (record: TerminalRecord | undefined) => boolean,
  ): Promise<TerminalRecord | undefined>;
  screen(id: string): Promise<string>;
  /** Types and returns the cursor. */
  type(id: string, text: string): Promise<string>;
  /** Speaks to kaval behind padi's back, as kaval-tui would. */
  kaval<T>(work: (client: Client<KavalContract>) => Promise<T>): Promise<T>;
  kavalPid(): Promise<number>;
  /** Another padi at the same places; resolves with its exit code. */
  startSecond(): Promise<number | null>;
  killHard(): Promise<void>;
  killKavalHard(): Promise<void>;
  /** Ends padi in an orderly way; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Starts a padi at the same places after one of the above. */
  restart(): Promise<void>;
}

export interface StartPadiOptions {
  shell?: string;
  /** Dotfiles and the like, by their names in the home directory. */
  files?: Record<string, string>;
  env?: Record<string, string>;
}

export async function startPadi(options: StartPadiOptions = {}): Promise<TestPadi> {
  const root = await mkdtemp("/tmp/pd-");
  const home = join(root, "home");
  const runtime = join(root, "run");
  await mkdir(home);
  await mkdir(runtime, { mode: 0o700 });
  for (const [name, content] of Object.entries(options.files ?? {}))
    await writeFile(join(home, name), content);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    SHELL: options.shell ?? "/bin/bash",
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: runtime,
    // Compiled code is shared by all tests: a fresh home would compile everything anew.
    NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "..", "node_modules", ".cache", "kolu-code"),
    ...options.env,
  };
  const places = placesFor(join(root, "state"), env);
  let daemon: { child: ChildProcess; exited: Promise<number | null> };
  let link: RpcLink<PadiContract>;
  let records: ReadonlyMap<string, TerminalRecord> = new Map();
  const waiters = new Set<() => void>();
  let logText = "";

  function spawnPadi(): ChildProcess {
    const url = (path: string): string => import.meta.resolve(path);
    const kaval = {
      name: "kaval",
      command: [process.execPath, "-e", RUN_KAVAL, url("@kolu/kaval/main.ts"), places.stateRoot],
      socketPath: places.kavalSocket,
      logPath: join(places.logs, "kaval.log"),
    };
    const settings = JSON.stringify({ stateRoot: places.stateRoot, kaval });
    const args = ["-e", RUN_PADI, url("@kolu/daemon/start-daemon.ts"), url("./main.ts"), settings];
    return spawn(process.execPath, args, { env, cwd: "/", stdio: ["ignore", "inherit", "pipe"] });
  }

  async function start(): Promise<void> {
    const child = spawnPadi();
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      logText += text;
    });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    daemon = { child, exited };
    const abort = new AbortController();
    void exited.then(() => abort.abort());
    await mkdir(places.runtime, { recursive: true, mode: 0o700 });
    if (!(await whenServing(places.padiSocket, abort.signal)))
      throw new Error(`padi did not start:\n${logText}`);
    link = await dialRpc(padiContract, { socketPath: places.padiSocket });
    records = new Map();
    void mirror(link);
  }

  async function mirror(of: RpcLink<PadiContract>): Promise<void> {
    try {
      for await (const frame of of.client.subscribe("terminals.watch", {})) {
        records = applyFrame(records, frame);
        for (const wake of [...waiters]) wake();
      }
    } catch {
      // The link ended with its padi; the next start mirrors anew.
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    daemon.child.kill(signal);
    const code = await daemon.exited;
    link.close();
    return code;
  }

  async function kaval<T>(work: (client: Client<KavalContract>) => Promise<T>): Promise<T> {
    await using own = await dialRpc(kavalContract, { socketPath: places.kavalSocket });
    return await work(own.client);
  }

  await start();
  const padi: TestPadi = {
    places,
    home,
    get pid() {
      return daemon.child.pid!;
    },
    get client() {
      return link.client;
    },
    get records() {
      return records;
    },
    log: () => logText,
    async create(params = {}) {
      return (await link.client.call("terminal.create", { placement: { kind: "toplevel" }, ...params })).id;
    },
    async until(id: string, holds: (record: TerminalRecord | undefined) => boolean) {
      while (!holds(records.get(id)))
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiters.delete(wake);
            resolve();
          };
          waiters.add(wake);
        });
      return records.get(id) as never;
    },
    async screen(id) {
      const extent = { kind: "all" } as const;
      return (await link.client.call("screen.text", { id: id as TerminalId, extent })).text;
    },
    async type(id, text) {
      return (await link.client.call("terminal.sendInput", { id: id as TerminalId, text, paste: false }))
        .cursor;
    },
    kaval,
    kavalPid: () => kaval(async (client) => (await client.call("hello", {})).pid),
    startSecond: () => new Promise((resolve) => spawnPadi().once("exit", resolve)),
    killHard: async () => void (await end("SIGKILL")),
    async killKavalHard() {
      process.kill(await padi.kavalPid(), "SIGKILL");
    },
    stop: () => end("SIGTERM"),
    restart: start,
    async [Symbol.asyncDispose]() {
      if (daemon.child.exitCode === null && daemon.child.signalCode === null) {
        const code = await end("SIGTERM");
        if (code !== 0) throw new Error(`padi ended with ${code}:\n${logText}`);
      }
      await endKaval(places);
      const left = await processesOf(places.runtime);
      for (const pid of left) process.kill(pid, "SIGKILL");
      if (left.length > 0) throw new Error(`processes outlived their daemons: ${left.join(" ")}\n${logText}`);
      await rm(root, { recursive: true });
    },
  };
  return padi;
}

/** Asks kaval to end and waits until its connection is gone, which is the last thing of it. */
async function endKaval(places: Places): Promise<void> {
  const link = await dialRpc(kavalContract, { socketPath: places.kavalSocket }).catch(() => null);
  if (!link) return;
  const { pid } = await link.client.call("hello", {});
  process.kill(pid, "SIGTERM");
  await link.closed;
  while (await isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat !== null && stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z";
}

/** Processes that carry this runtime directory in their environment: the daemons and whatever their terminals started. */
async function processesOf(runtime: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
    if (environment.includes(`=${runtime}`)) found.push(Number(name));
  }
  return found;
}
