// For tests: a real kaval in a process of its own, with a state root, runtime directory and home that nobody else uses.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttachQuery, ServerFrame, ViewerFrame } from "@kolu/contract/attach.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { kavalContract } from "@kolu/contract/kaval.ts";
import type { Client, ParamsOf } from "@kolu/contract/rpc.ts";
import { type Places, placesFor } from "@kolu/daemon/places.ts";
import { whenServing } from "@kolu/daemon/start-daemon.ts";
import { type AttachLink, dialAttach, dialRpc, type RpcLink } from "@kolu/wire/dial.ts";

const ENTRY = new URL("./fixtures/run-kaval.ts", import.meta.url).pathname;

type KavalContract = typeof kavalContract;

export interface TestKaval extends AsyncDisposable {
  places: Places;
  home: string;
  pid: number;
  client: Client<KavalContract>;
  /** What the daemon has written to its log so far. */
  log(): string;
  /** Closes the daemon's log at our end: what it writes from now on fails. */
  stopReadingLog(): void;
  /** A terminal that runs this command line in /bin/sh. */
  sh(commandLine: string, more?: Partial<ParamsOf<KavalContract, "terminal.spawn">>): Promise<TerminalId>;
  attach(id: string, query?: AttachQuery): Promise<TestViewer>;
  /** Ends the daemon without a word; the directories stay for the next start. */
  killHard(): Promise<void>;
  /** Asks it to end, as its owner would; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Starts a kaval at the same places after one of the two above. */
  restart(): Promise<void>;
  /** Runs another kaval at the same places beside this one; resolves with its exit code. */
  startSecond(): Promise<number | null>;
}

export async function startKaval(options: { env?: Record<string, string> } = {}): Promise<TestKaval> {
  const root = await mkdtemp("/tmp/kv-");
  const home = join(root, "home");
  const runtime = join(root, "run");
  await mkdir(home);
  await mkdir(runtime, { mode: 0o700 });
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: runtime,
    // Compiled code is shared by all tests: a fresh home would compile everything anew.
    NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "..", "node_modules", ".cache", "kolu-code"),
    ...options.env,
  };
  const places = placesFor(join(root, "state"), env);
  let daemon: { child: ChildProcess; exited: Promise<number | null> };
  let link: RpcLink<KavalContract>;
  let logText = "";

  function run(): { child: ChildProcess; exited: Promise<number | null> } {
    const child = spawn(process.execPath, [ENTRY, places.stateRoot, "--with-parent"], {
      env,
      cwd: "/",
      stdio: ["pipe", "inherit", "pipe"],
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      logText += text;
    });
    return { child, exited: new Promise((resolve) => child.once("exit", resolve)) };
  }

  async function start(): Promise<void> {
    daemon = run();
    const abort = new AbortController();
    void daemon.exited.then(() => abort.abort());
    await mkdir(places.runtime, { recursive: true, mode: 0o700 });
    if (!(await whenServing(places.kavalSocket, abort.signal)))
      throw new Error(`kaval did not start:\n${logText}`);
    link = await dialRpc(kavalContract, { socketPath: places.kavalSocket });
  }

  async function stop(signal: NodeJS.Signals): Promise<number | null> {
    daemon.child.kill(signal);
    const code = await daemon.exited;
    link.close();
    return code;
  }

  await start();
  return {
    places,
    home,
    get pid() {
      return daemon.child.pid!;
    },
    get client() {
      return link.client;
    },
    log: () => logText,
    stopReadingLog: () => daemon.child.stderr!.destroy(),
    async sh(commandLine, more = {}) {
      const argv = ["/bin/sh", "-c", commandLine];
      return (await link.client.call("terminal.spawn", { argv, ...more })).id;
    },
    attach: (id, query = {}) => TestViewer.dial(places.kavalSocket, id, query),
    killHard: async () => void (await stop("SIGKILL")),
    stop: () => stop("SIGTERM"),
    restart: start,
    startSecond: () => run().exited,
    async [Symbol.asyncDispose]() {
      if (daemon.child.exitCode === null && daemon.child.signalCode === null) {
        const code = await stop("SIGTERM");
        if (code !== 0) throw new Error(`kaval ended with ${code}:\n${logText}`);
      }
      const left = await processesOf(places.kavalSocket);
      for (const pid of left) process.kill(pid, "SIGKILL");
      if (left.length > 0) throw new Error(`processes outlived their kaval: ${left.join(" ")}\n${logText}`);
      await rm(root, { recursive: true });
    },
  };
}

/** Processes that a terminal of this kaval started, by what is in their environment. */
async function processesOf(kavalSocket: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "");
    if (environment.includes(`KAVAL_SOCKET=${kavalSocket}\0`)) found.push(Number(name));
  }
  return found;
}

/** A viewer that keeps what it is sent. It acknowledges everything at once unless told not to. */
export class TestViewer implements AsyncDisposable {
  frames: ServerFrame[] = [];
  acknowledges = true;
  /** Output bytes in order since the last resume or snapshot. */
  #chunks: Buffer[] = [];
  #link: AttachLink | null = null;
  #waiters = new Set<() => void>();
  #nextSeq = 1;
  /** A gap or a repeat in the output. */
  #fault: string | null = null;
  closed = false;

  static async dial(socketPath: string, id: string, query: AttachQuery): Promise<TestViewer> {
    const viewer = new TestViewer();
    // The first frames may come before the dial has resolved.
    viewer.#link = await dialAttach({ socketPath }, id, query, (frame) => viewer.#receive(frame));
    if (viewer.acknowledges) viewer.send({ kind: "ack", offset: viewer.offset });
    void viewer.#link.closed.then(() => {
      viewer.closed = true;
      viewer.#wake();
    });
    return viewer;
  }

  get bytes(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  /** Offset after the last byte received. */
  get offset(): number {
    const last = this.frames.findLast(
      (frame) => frame.kind === "output" || frame.kind === "resume" || frame.kind === "snapshot",
    );
    if (!last) return 0;
    return last.kind === "output" ? last.offset + last.bytes.length : (last as { offset: number }).offset;
  }

  /** Where this viewer stands, for a later attach. */
  get place(): { boot: string; offset: number } {
    const start = this.frames.find((frame) => frame.kind === "resume" || frame.kind === "snapshot");
    if (!start) throw new Error("nothing came yet");
    return { boot: (start as { boot: string }).boot, offset: this.offset };
  }

  get grids(): string[] {
    return this.frames.flatMap((frame) => (frame.kind === "grid" ? [`${frame.cols}x${frame.rows}`] : []));
  }

  get exit(): { code: number; signal: number } | null {
    const frame = this.frames.find((one) => one.kind === "exit");
    return frame?.kind === "exit" ? { code: frame.code, signal: frame.signal } : null;
  }

  send(frame: ViewerFrame): void {
    this.#link?.send(frame);
  }

  /** Types; answers with the frame's number. */
  type(text: string | Uint8Array): number {
    const seq = this.#nextSeq++;
    this.send({ kind: "input", seq, bytes: typeof text === "string" ? Buffer.from(text) : text });
    return seq;
  }

  /** Resolves as soon as the condition holds; looked at whenever something arrives. */
  async until(holds: () => boolean, what = "a condition"): Promise<void> {
    for (;;) {
      if (this.#fault) throw new Error(this.#fault);
      if (holds()) return;
      if (this.closed) throw new Error(`the connection closed before ${what}; text so far: ${this.tail()}`);
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  untilText(text: string): Promise<void> {
    return this.until(() => this.text.includes(text), JSON.stringify(text));
  }

  untilExit(): Promise<void> {
    return this.until(() => this.exit !== null, "the exit");
  }

  async untilClosed(): Promise<void> {
    while (!this.closed) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  tail(): string {
    return JSON.stringify(this.text.slice(-200));
  }

  close(): void {
    this.#link?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#link?.close();
    await this.#link?.closed;
  }

  #receive(frame: ServerFrame): void {
    if (frame.kind === "output") {
      if (frame.offset !== this.offset) this.#fault ??= `output at ${frame.offset}, not at ${this.offset}`;
      this.#chunks.push(Buffer.from(frame.bytes));
    }
    if (frame.kind === "snapshot") this.#chunks = [Buffer.from(frame.vt)];
    this.frames.push(frame);
    if (this.acknowledges && frame.kind === "output") this.send({ kind: "ack", offset: this.offset });
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiting) wake();
  }
}
