// How long people wait: the first page from nothing, and one answer from the shell.
import type { BenchKolu } from "./bench-kolu.ts";
import { startBenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";
import { openSession } from "./page-session.ts";

const RUNS = 15;

export async function benchStartUp(kolu: BenchKolu): Promise<Figure[]> {
  const times: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    let startedAt = performance.now();
    await kolu.run(["ls"]);
    times.push(performance.now() - startedAt);
    startedAt = performance.now();
    const { execFileSync } = await import("node:child_process");
    execFileSync(process.execPath, ["-e", "0"]);
    bare.push(performance.now() - startedAt);
  }
  const limit = { name: "node -e 0", value: summarize(bare).p50 };
  const figures: Figure[] = [
    {
      name: "kolu ls from the checkout, p50",
      value: summarize(times).p50,
      unit: "ms",
      limit,
      aim: { atMost: 350 },
    },
  ];

  // A kolu of its own: nothing runs yet when the clock starts.
  const cold = await startBenchKolu();
  try {
    process.kill(cold.pids.padi, "SIGTERM");
    process.kill(cold.pids.kaval, "SIGTERM");
    await Promise.all([cold.padi.closed, cold.kaval.closed]);
    const startedAt = performance.now();
    const web = await cold.startWeb();
    const target = await openSession(web.link);
    const { headers, url } = target as { headers: Record<string, string>; url: string };
    const page = await fetch(url.replace(/^ws/, "http"), { headers });
    if (!page.ok) throw new Error(`the page answered ${page.status}`);
    await page.text();
    const { dialRpc } = await import("@kolu/wire/dial.ts");
    const { padiContract } = await import("@kolu/contract/padi.ts");
    const link = await dialRpc(padiContract, target);
    await link.client.call("terminals.list", {});
    figures.push({
      name: "cold start: nothing runs, to the page and its workspace served",
      value: performance.now() - startedAt,
      unit: "ms",
      aim: { atMost: 1000 },
    });
    await link.client.call("hello", {});
    await stopAll(cold, web);
    link.close();
  } catch (error) {
    process.stderr.write(`cold start failed; its state root: ${cold.home}\n`);
    throw error;
  }
  return figures;
}

async function stopAll(cold: BenchKolu, web: { stop(): Promise<void> }): Promise<void> {
  const { readHolder } = await import("@kolu/daemon/pid-file.ts");
  await web.stop();
  for (const path of [cold.places.padiPid, cold.places.kavalPid]) {
    const holder = await readHolder(path);
    if (holder) process.kill(holder.pid, "SIGTERM");
  }
}
