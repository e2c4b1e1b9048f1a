// How long an agent waits for a picture, through the whole way: padi asks kaval, the painter draws, the answer is base64.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import { type Figure, summarize } from "./figures.ts";

const SAMPLES = 40;

/** 40 rows of 120 columns: every cell in a colour of its own, the worst that text can be, with some wide ones. */
function denseScreen(): string {
  const row = (y: number): string =>
    Array.from({ length: 118 }, (_, x) => {
      const colour = `\x1b[38;2;${(x * 2) % 256};${(y * 6) % 256};${(x * y) % 256}m`;
      return colour + String.fromCharCode(33 + ((x * 7 + y * 3) % 90));
    }).join("");
  return `\x1b[?25l\x1b[H${Array.from({ length: 40 }, (_, y) => `${row(y)}語`).join("\r\n")}`;
}

export async function benchPictures({ kolu, padi, create, kill }: BenchKolu): Promise<Figure[]> {
  const path = join(kolu.home, "dense");
  await writeFile(path, `${denseScreen()}\x1b]2;drawn\x07`);
  const id = (await create(["sh", "-c", `cat ${path}; sleep 600`])) as TerminalId;
  for await (const frame of padi.client.subscribe("terminals.watch", {})) {
    const rows = frame.kind === "snapshot" ? frame.rows : frame.upserts;
    if (rows.some((row) => row.id === id && row.title === "drawn")) break;
  }
  const draw = async (): Promise<number> => {
    const startedAt = performance.now();
    await padi.client.call("screen.image", { id });
    return performance.now() - startedAt;
  };
  const coldMs = await draw();
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) samples.push(await draw());
  const { p50, max } = summarize(samples);
  await kill([id]);
  return [
    {
      name: "picture of 120x40, every cell another colour",
      value: p50,
      unit: "ms",
      aim: { atMost: 100 },
      note: `worst ${max.toFixed(0)} ms; the first, with the painter's start, ${coldMs.toFixed(0)} ms`,
    },
  ];
}
