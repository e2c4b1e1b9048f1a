// Memory and processor: idle terminals, full scrollbacks, and what comes back after they close.

import { dialAttach } from "@kolu/wire/dial.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";
import { processorShare, residentMB } from "./processes.ts";

const FULL = 10;
const REST_MS = 10_000;
const CALM_MS = 20_000;
const ATTACHES = 20;

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
  const filled = await Promise.all(
    Array.from({ length: FULL }, () =>
      kolu.create([
        "/bin/sh",
        "-c",
        "seq -f '%010.0f the quick brown fox jumps over the lazy dog' 12000; exec cat",
      ]),
    ),
  );
  for (const id of filled)
    await kolu.padi.client.call("terminal.wait", {
      id,
      until: { kind: "idle", idleMs: 1500 },
      timeoutMs: 60_000,
    });
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
  const tail: number[] = [];
  for (let sample = 0; sample < ATTACHES; sample++) {
    const startedAt = performance.now();
    await kolu.padi.client.call("screen.text", { id: filled[1]!, extent: { kind: "tail", lines: 40 } });
    tail.push(performance.now() - startedAt);
  }
  figures.push({
    name: "last 40 lines over 10 000, p50",
    value: summarize(tail).p50,
    unit: "ms",
    aim: { atMost: 5 },
  });
  await kolu.kill(filled);
  await settle();
  figures.push({
    name: "kept of a full history after its terminal closed",
    value: Math.max(0, daemons() - before) / FULL,
    unit: "MB",
    limit: { name: "while it lived", value: (full - before) / FULL },
  });
  return figures;
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
