// One kolu of its own for measuring: temporary state root, runtime directory and home; the daemons are the real ones.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { kavalContract } from "@kolu/contract/kaval.ts";
import { padiContract } from "@kolu/contract/padi.ts";
import { type Places, placesFor } from "@kolu/daemon/places.ts";
import { dialRpc, type RpcLink } from "@kolu/wire/dial.ts";

const KOLU = join(import.meta.dirname, "..", "packages", "cli", "bin", "kolu.js");

export interface BenchKolu extends AsyncDisposable {
  home: string;
  places: Places;
  env: Record<string, string>;
  padi: RpcLink<typeof padiContract>;
  kaval: RpcLink<typeof kavalContract>;
  pids: { padi: number; kaval: number };
  /** A terminal whose root process is this command. */
  create(argv: string[]): Promise<string>;
  /** A shell terminal at its prompt. */
  createShell(): Promise<string>;
  kill(ids: readonly string[]): Promise<void>;
  /** Starts the web server on a free port; resolves with its one-time link and pid. */
  startWeb(): Promise<{ link: string; pid: number; stop(): Promise<void> }>;
  run(args: string[]): Promise<string>;
}

export async function startBenchKolu(): Promise<BenchKolu> {
  const home = await mkdtemp(join(tmpdir(), "kb-"));
  const stateRoot = join(home, "state");
  const env = {
    PATH: process.env.PATH!,
    HOME: home,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: home,
    KOLU_STATE_ROOT: stateRoot,
  };
  const run = async (args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [KOLU, ...args], { env })).stdout;
  const first = (await run(["create", "--toplevel"])).trim();
  const places = placesFor(stateRoot, env);
  const padi = await dialRpc(padiContract, { socketPath: places.padiSocket });
  const kaval = await dialRpc(kavalContract, { socketPath: places.kavalSocket });
  const pids = {
    padi: (await padi.client.call("hello", {})).pid,
    kaval: (await kaval.client.call("hello", {})).pid,
  };
  const kill = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(ids.map((id) => padi.client.call("terminal.kill", { id })));
  };
  await kill([first]);
  const placement = { kind: "toplevel" } as const;
  const size = { cols: 120, rows: 40 };
  return {
    home,
    places,
    env,
    padi,
    kaval,
    pids,
    run,
    kill,
    create: async (argv) =>
      (await padi.client.call("terminal.create", { placement, cwd: home, argv, ...size })).id,
    createShell: async () => {
      const { id } = await padi.client.call("terminal.create", { placement, cwd: home, ...size });
      await whenAtPrompt(kaval, id);
      return id;
    },
    async startWeb() {
      const server = spawn(process.execPath, [KOLU, "web", "--port", "0"], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const link = await new Promise<string>((resolve, reject) => {
        let text = "";
        const read = (data: Buffer): void => {
          text += data.toString();
          const found = /https?:\/\/\S+\/open\S+/.exec(text);
          if (found) resolve(found[0]);
        };
        server.stdout.on("data", read);
        server.stderr.on("data", read);
        server.once("exit", () => reject(new Error(`kolu web ended: ${text}`)));
      });
      return {
        link,
        pid: server.pid!,
        async stop() {
          const exited = once(server, "exit");
          server.kill("SIGTERM");
          await exited;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      const { terminals } = await padi.client.call("terminals.list", {});
      await kill(terminals.map((terminal) => terminal.id));
      const gone = Promise.all([padi.closed, kaval.closed]);
      process.kill(pids.padi, "SIGTERM");
      process.kill(pids.kaval, "SIGTERM");
      await gone;
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function whenAtPrompt(kaval: RpcLink<typeof kavalContract>, id: string): Promise<void> {
  for await (const item of kaval.client.subscribe("terminal.watch", {})) {
    const rows = item.kind === "snapshot" ? item.terminals : item.kind === "changed" ? [item.terminal] : [];
    if (rows.some((row) => row.id === id && row.atPrompt && row.title !== null)) return;
  }
}
