// From a key in the page's socket to its echo in the same socket: web, padi, kaval, PTY and back.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { dialAttach, type Target } from "@kolu/wire/dial.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";
import { barePtyEcho } from "./limits.ts";
import { openSession } from "./page-session.ts";

const SAMPLES = 500;
/** Not measured: code that has just been loaded is slow once. */
const WARM_UP = 100;
const FLOODS = 10;

async function measureEcho(target: Target, id: string): Promise<{ p50: number; p99: number; max: number }> {
  let onOutput = (): void => {};
  const link = await dialAttach(target, id, { viewer: randomUUID(), scrollback: 0 }, (frame) => {
    if (frame.kind !== "output") return;
    link.send({ kind: "ack", offset: frame.offset + frame.bytes.length });
    onOutput();
  });
  const times: number[] = [];
  const key = new TextEncoder().encode("x");
  for (let seq = 1; seq <= WARM_UP + SAMPLES; seq++) {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      onOutput = resolve;
      link.send({ kind: "input", seq, bytes: key });
    });
    if (seq > WARM_UP) times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  link.close();
  await link.closed;
  return summarize(times);
}

export async function benchEcho(kolu: BenchKolu, streamPath: string): Promise<Figure[]> {
  const web = await kolu.startWeb();
  try {
    const target = await openSession(web.link);
    const bare = await barePtyEcho(SAMPLES);
    const id = await kolu.create(["/bin/cat"]);
    const idle = await measureEcho(target, id);
    const floods = await Promise.all(
      Array.from({ length: FLOODS }, () =>
        kolu.create(["/bin/sh", "-c", `stty raw; while :; do cat ${streamPath}; done`]),
      ),
    );
    // In a thread of their own, so that counting the floods does not delay the clock of the echo.
    const viewers = new Worker(new URL("./flood-viewers.ts", import.meta.url), {
      workerData: { target, ids: floods },
    });
    await once(viewers, "message");
    const flooded = await measureEcho(target, id);
    await viewers.terminate();
    await kolu.kill([...floods, id]);
    const limit = (value: number): { name: string; value: number } => ({ name: "bare PTY echo", value });
    return [
      { name: "key to echo, p50", value: idle.p50, unit: "ms", limit: limit(bare.p50) },
      { name: "key to echo, p99", value: idle.p99, unit: "ms", limit: limit(bare.p99), aim: { atMost: 5 } },
      {
        name: "key to echo beside 10 watched floods, p50",
        value: flooded.p50,
        unit: "ms",
        limit: limit(bare.p50),
      },
      {
        name: "key to echo beside 10 watched floods, p99",
        value: flooded.p99,
        unit: "ms",
        limit: limit(bare.p99),
        aim: { atMost: 20 },
      },
    ];
  } finally {
    await web.stop();
  }
}
