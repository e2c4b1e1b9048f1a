// A kolu for measuring: the one of the tests, with connections and terminals of a fixed size.
import { kavalContract } from "@kolu/contract/kaval.ts";
import type { padiContract } from "@kolu/contract/padi.ts";
import { dialRpc, type RpcLink } from "@kolu/wire/dial.ts";
import { type Kolu, startKolu } from "../e2e/start-kolu.ts";

export interface BenchKolu extends AsyncDisposable {
  kolu: Kolu;
  padi: RpcLink<typeof padiContract>;
  kaval: RpcLink<typeof kavalContract>;
  pids: { padi: number; kaval: number };
  /** A terminal whose root process is this command. */
  create(argv: string[]): Promise<string>;
  /** A shell terminal at its prompt. */
  createShell(): Promise<string>;
  kill(ids: readonly string[]): Promise<void>;
  startWeb(): Promise<BenchWeb>;
}

export interface BenchWeb {
  /** The one-time link. */
  link: string;
  pid: number;
  stop(): Promise<void>;
}

export async function startBenchKolu(): Promise<BenchKolu> {
  const kolu = await startKolu();
  const padi = await kolu.padi();
  const kaval = await dialRpc(kavalContract, { socketPath: kolu.places.kavalSocket });
  const pids = await kolu.pids();
  const placement = { kind: "toplevel" } as const;
  const size = { cwd: kolu.home, cols: 120, rows: 40 };
  return {
    kolu,
    padi,
    kaval,
    pids: { padi: pids.padi!, kaval: pids.kaval! },
    create: async (argv) => (await padi.client.call("terminal.create", { placement, argv, ...size })).id,
    createShell: async () => {
      const { id } = await padi.client.call("terminal.create", { placement, ...size });
      await whenAtPrompt(kaval, id);
      return id;
    },
    kill: async (ids) => {
      await Promise.all(ids.map((id) => padi.client.call("terminal.kill", { id })));
    },
    startWeb: () => startWeb(kolu),
    async [Symbol.asyncDispose]() {
      padi.close();
      kaval.close();
      await kolu[Symbol.asyncDispose]();
    },
  };
}

/** Serves the page of this kolu on a free port. */
export async function startWeb(kolu: Kolu): Promise<BenchWeb> {
  const web = kolu.start(["web", "--port", "0"]);
  await web.whenPrinted(/\/open\?/);
  const link = /https?:\/\/\S+/.exec(web.printed().stdout)![0];
  return {
    link,
    pid: web.pid,
    async stop() {
      web.kill("SIGTERM");
      await web.ended;
    },
  };
}

async function whenAtPrompt(kaval: RpcLink<typeof kavalContract>, id: string): Promise<void> {
  for await (const item of kaval.client.subscribe("terminal.watch", {})) {
    const rows = item.kind === "snapshot" ? item.terminals : item.kind === "changed" ? [item.terminal] : [];
    if (rows.some((row) => row.id === id && row.atPrompt)) return;
  }
}
