// Memory and processor: idle terminals, full scrollbacks, and what comes back after they close.

import { dialAttach } from "@kolu/wire/dial.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";
import { processorShare, residentMB } from "./processes.ts";

const FULL = 30;
const REST_MS = 10_000;
const CALM_MS = 20_000;
const ATTACHES = 20;
const READS = 50;

export async function benchResources(kolu: BenchKolu): Promise<Figure[]> {
  const web = await kolu.startWeb();
  const { kaval, padi } = kolu.pids;
  const daemons = (): number => residentMB(kaval) + residentMB(padi);
  const ids: string[] = [];
  const grow = async (count: number): Promise<number> => {
    while (ids.length < count) ids.push(await kolu.createShell());
    await settle();
    return daemons();
  };
  const figures: Figure[] = [];
  const one = await grow(1);
  figures.push({
    name: "kaval + padi + web, 1 idle shell",
    value: one + residentMB(web.pid),
    unit: "MB",
    aim: { atMost: 300 },
    note: `kaval ${residentMB(kaval).toFixed(0)}, padi ${residentMB(padi).toFixed(0)}, web ${residentMB(web.pid).toFixed(0)}`,
  });
  const ten = await grow(10);
  const hundred = await grow(100);
  figures.push({ name: "each further idle terminal, 1 to 10", value: (ten - one) / 9, unit: "MB" });
  figures.push({
    name: "each further idle terminal, 10 to 100",
    value: (hundred - ten) / 90,
    unit: "MB",
    aim: { atMost: 0.7 },
  });
  // What follows a hundred new shells (their screens saved, their repositories looked at) is no rest yet.
  await new Promise((resolve) => setTimeout(resolve, CALM_MS));
  const shares = await Promise.all([kaval, padi, web.pid].map((pid) => processorShare([pid], REST_MS)));
  figures.push({
    name: "processor at rest, 100 idle terminals",
    value: shares.reduce((sum, share) => sum + share, 0) * 100,
    unit: "% of a core",
    aim: { atMost: 1 },
    note: `kaval, padi, web: ${shares.map((share) => (share * 100).toFixed(1)).join(", ")}`,
  });
  await kolu.kill(ids);
  await web.stop();
  await settle();

  const before = daemons();
  const filled = await fillHistories(kolu);
  const full = daemons();
  figures.push({
    name: "each terminal with a full history",
    value: (full - before) / FULL,
    unit: "MB",
    aim: { atMost: 6 },
  });
  for (const scrollback of [0, 1000]) {
    const first = await attachTimes(kolu, filled[0]!, scrollback);
    figures.push({
      name: `attach to first frame, full history, ${scrollback} lines sent, p50`,
      value: first.p50,
      unit: "ms",
      ...(scrollback === 0 ? { aim: { atMost: 5 } } : {}),
    });
  }
  figures.push({
    name: "last 40 lines over 10 000, p50",
    value: (await readTimes(kolu, filled[1]!, 40)).p50,
    unit: "ms",
    aim: { atMost: 5 },
  });
  const busy = await kolu.create(["/bin/sh", "-c", "while :; do seq 1 200; sleep 0.02; done"]);
  figures.push({
    name: "last 5 000 lines of a busy terminal, p99",
    value: (await readTimes(kolu, busy, 5_000)).p99,
    unit: "ms",
    aim: { atMost: 200 },
  });
  const lists: number[] = [];
  for (let sample = 0; sample < READS; sample++)
    lists.push(await timed(() => kolu.padi.client.call("terminals.list", {})));
  figures.push({
    name: `state of ${FULL} terminals at once, p99`,
    value: summarize(lists).p99,
    unit: "ms",
    aim: { atMost: 200 },
  });
  await kolu.kill([...filled, busy]);
  await settle();
  const kept = daemons();
  figures.push({
    name: "kept of a full history after its terminal closed",
    value: Math.max(0, kept - before) / FULL,
    unit: "MB",
    limit: { name: "while it lived", value: (full - before) / FULL },
  });
  const again = await fillHistories(kolu);
  figures.push({
    name: "what the next full history takes beyond that",
    value: Math.max(0, daemons() - Math.max(kept, full)) / FULL,
    unit: "MB",
    limit: { name: "the first", value: (full - before) / FULL },
  });
  await kolu.kill(again);
  return figures;
}

async function fillHistories(kolu: BenchKolu): Promise<string[]> {
  const line = "seq -f '%010.0f the quick brown fox jumps over the lazy dog' 12000; exec cat";
  const ids = await Promise.all(Array.from({ length: FULL }, () => kolu.create(["/bin/sh", "-c", line])));
  const until = { kind: "idle" as const, idleMs: 1500 };
  for (const id of ids) await kolu.padi.client.call("terminal.wait", { id, until, timeoutMs: 60_000 });
  return ids;
}

async function readTimes(kolu: BenchKolu, id: string, lines: number): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  const extent = { kind: "tail" as const, lines };
  for (let sample = 0; sample < READS; sample++)
    times.push(await timed(() => kolu.padi.client.call("screen.text", { id, extent })));
  return summarize(times);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function attachTimes(kolu: BenchKolu, id: string, scrollback: number): Promise<{ p50: number }> {
  const times: number[] = [];
  for (let sample = 0; sample < ATTACHES; sample++) {
    const startedAt = performance.now();
    let onFirst = (): void => {};
    const first = new Promise<void>((resolve) => {
      onFirst = resolve;
    });
    const link = await dialAttach(
      { socketPath: kolu.kolu.places.padiSocket },
      id,
      { scrollback },
      (frame) => {
        if (frame.kind === "snapshot") onFirst();
      },
    );
    await first;
    times.push(performance.now() - startedAt);
    link.close();
    await link.closed;
  }
  return summarize(times);
}

/** Lets collectors and allocators come to rest: memory is what stays, not what was. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3_000));
}
