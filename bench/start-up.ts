// How long people wait: the first page from nothing, and one answer from the shell.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { padiContract } from "@kolu/contract/padi.ts";
import { dialRpc } from "@kolu/wire/dial.ts";
import { type Kolu, startKolu } from "../e2e/start-kolu.ts";
import { type BenchKolu, startWeb } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";
import { openSession } from "./page-session.ts";

const LS_RUNS = 15;
const COLD_RUNS = 5;

export async function benchStartUp({ kolu }: BenchKolu): Promise<Figure[]> {
  const ls: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < LS_RUNS; run++) {
    ls.push(await timed(() => kolu.ok(["ls"])));
    bare.push(await timed(async () => execFileSync(process.execPath, ["-e", "0"])));
  }
  const packed = await benchPackedLs(kolu);
  const cold: number[] = [];
  for (let run = 0; run < COLD_RUNS; run++) cold.push(await coldStart());
  const limit = { name: "node -e 0", value: summarize(bare).p50 };
  return [
    {
      name: "kolu ls from the checkout, p50",
      value: summarize(ls).p50,
      unit: "ms",
      limit,
      aim: { atMost: 350 },
    },
    { name: "kolu ls from the packed build, p50", value: packed, unit: "ms", limit, aim: { atMost: 200 } },
    {
      name: "cold start: nothing runs, until page and workspace are served, p50",
      value: summarize(cold).p50,
      unit: "ms",
      limit,
      aim: { atMost: 1000 },
    },
  ];
}

/** The published bundle, asked of the same daemons. */
async function benchPackedLs(kolu: Kolu): Promise<number> {
  const root = join(import.meta.dirname, "..");
  execFileSync(process.execPath, [join(root, "tools", "build.ts")], { stdio: "ignore" });
  const entry = join(root, "dist", "kolu.mjs");
  const times: number[] = [];
  for (let run = 0; run < LS_RUNS; run++)
    times.push(
      await timed(async () => {
        execFileSync(process.execPath, [entry, "ls"], { env: kolu.env, stdio: "ignore" });
      }),
    );
  return summarize(times).p50;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** From the command to the page's files and the first snapshot of the workspace, no daemon running before. */
async function coldStart(): Promise<number> {
  await using kolu = await startKolu({ daemons: false });
  return await timed(async () => {
    const web = await startWeb(kolu);
    const target = await openSession(web.link);
    const page = await fetch(target.url.replace(/^ws/, "http"), { headers: target.headers });
    if (!page.ok) throw new Error(`the page answered ${page.status}`);
    await page.text();
    await using link = await dialRpc(padiContract, target);
    await link.client.call("terminals.list", {});
  });
}
