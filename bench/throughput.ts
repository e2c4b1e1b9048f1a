// From a program's write to a client's hands: PTY, kaval, padi, unix sockets; every byte counted.
import { dialAttach, type Target } from "@kolu/wire/dial.ts";
import type { BenchKolu } from "./bench-kolu.ts";
import type { Figure } from "./figures.ts";
import { barePtyThroughput, parseThroughput, tmuxThroughput } from "./limits.ts";

/** Consumed bytes are acknowledged in steps, as the page does. */
const ACK_EVERY_BYTES = 64 * 1024;

/**
 * Follows a terminal to its end; resolves once the beginning is settled. Bytes that a re-synchronisation skipped are
 * counted as missed.
 */
export async function followOutput(
  target: Target,
  id: string,
): Promise<{ started: Promise<void>; ended: Promise<{ bytes: number; missed: number }> }> {
  let bytes = 0;
  let missed = 0;
  let expected: number | null = null;
  let acknowledged = 0;
  let onBegin = (): void => {};
  let onStart = (): void => {};
  let onEnd = (_result: { bytes: number; missed: number }): void => {};
  const begun = new Promise<void>((resolve) => {
    onBegin = resolve;
  });
  const started = new Promise<void>((resolve) => {
    onStart = resolve;
  });
  const ended = new Promise<{ bytes: number; missed: number }>((resolve) => {
    onEnd = resolve;
  });
  const link = await dialAttach(target, id, { scrollback: 0 }, (frame) => {
    if (frame.kind === "snapshot" || frame.kind === "resume") {
      if (expected !== null) missed += frame.offset - expected;
      expected = frame.offset;
      onBegin();
    } else if (frame.kind === "output") {
      if (expected !== frame.offset) throw new Error(`a gap: ${expected} to ${frame.offset}`);
      bytes += frame.bytes.length;
      expected = frame.offset + frame.bytes.length;
      onStart();
      if (expected - acknowledged < ACK_EVERY_BYTES) return;
      acknowledged = expected;
      link.send({ kind: "ack", offset: expected });
    } else if (frame.kind === "exit") {
      link.close();
      onEnd({ bytes, missed });
    }
  });
  await begun;
  return { started, ended };
}

/** Prints the file once, raw, after one byte of input: so that nothing flows before the viewer is there. */
export function printsOnGo(path: string): string[] {
  return ["/bin/sh", "-c", `stty raw -echo; head -c 1 > /dev/null; exec cat ${path}`];
}

async function measure(kolu: BenchKolu, path: string, size: number, count: number): Promise<number> {
  const target = { socketPath: kolu.kolu.places.padiSocket };
  const ids = await Promise.all(Array.from({ length: count }, () => kolu.create(printsOnGo(path))));
  const followed = await Promise.all(ids.map((id) => followOutput(target, id)));
  const startedAt = performance.now();
  for (const id of ids) await kolu.padi.client.call("terminal.sendInput", { id, text: "g" });
  const results = await Promise.all(followed.map(({ ended }) => ended));
  const seconds = (performance.now() - startedAt) / 1000;
  const missed = results.reduce((sum, result) => sum + result.missed, 0);
  const bytes = results.reduce((sum, result) => sum + result.bytes, 0);
  // The shell may echo the one byte before stty takes effect; anything less than the file is a loss.
  if (bytes + missed < size * count) throw new Error(`${size * count - bytes - missed} bytes never arrived`);
  if (missed > 0)
    process.stderr.write(`  ${missed} of ${size * count} bytes were skipped by re-synchronising\n`);
  return bytes / 1e6 / seconds;
}

export async function benchThroughput(
  kolu: BenchKolu,
  files: { one: { path: string; bytes: number }; each: { path: string; bytes: number } },
): Promise<Figure[]> {
  const bareOne = await barePtyThroughput(files.one.path, 1);
  const parse = await parseThroughput(files.one.path);
  const tmux = await tmuxThroughput(files.one.path, files.one.bytes);
  const one = await measure(kolu, files.one.path, files.one.bytes, 1);
  const bareTwenty = await barePtyThroughput(files.each.path, 20);
  const twenty = await measure(kolu, files.each.path, files.each.bytes, 20);
  const aim = { ratioAtLeast: 0.9 };
  const figures: Figure[] = [
    {
      name: "throughput, one terminal",
      value: one,
      unit: "MB/s",
      limit: { name: "one core's parse", value: parse },
      aim,
    },
    {
      name: "throughput, one terminal",
      value: one,
      unit: "MB/s",
      limit: { name: "bare PTY", value: bareOne },
    },
    {
      name: "throughput, twenty together",
      value: twenty,
      unit: "MB/s",
      limit: { name: "one core's parse", value: parse },
      aim,
    },
    {
      name: "throughput, twenty together",
      value: twenty,
      unit: "MB/s",
      limit: { name: "bare PTYs", value: bareTwenty },
    },
  ];
  if (tmux !== null) {
    const limit = { name: "tmux attached", value: tmux };
    figures.push({
      name: "throughput, one terminal",
      value: one,
      unit: "MB/s",
      limit,
      aim: { ratioAtLeast: 2 },
    });
  }
  return figures;
}
