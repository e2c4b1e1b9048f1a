// A terminal whose agent is programs/composer.mjs: recognised as Claude Code by its name, and it logs every prompt it took.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { Kolu } from "./start-kolu.ts";

export interface Composer {
  pasteMs: number;
  enterMs: number;
  /** Enters without effect before each that has one. */
  loses: number;
  turnMs: number;
}

export const QUICK_COMPOSER: Composer = { pasteMs: 5, enterMs: 5, loses: 0, turnMs: 60 };

/** Resolves once it waits for a prompt. `cwd`: its own directory when left out. */
export async function startComposer(
  kolu: Kolu,
  name: string,
  { composer = QUICK_COMPOSER, cwd }: { composer?: Composer; cwd?: string } = {},
): Promise<{ id: TerminalId; log: string }> {
  const directory = join(kolu.home, name);
  await mkdir(directory);
  const log = join(directory, "log");
  await writeFile(log, "");
  const source = await readFile(join(import.meta.dirname, "programs", "composer.mjs"), "utf8");
  // Its name is what it is recognised by.
  const path = join(directory, "claude");
  await writeFile(path, `#!${process.execPath}\n${source}`, { mode: 0o755 });
  await using link = await kolu.padi();
  const { id } = await link.client.call("terminal.create", {
    placement: { kind: "toplevel" },
    argv: [path, JSON.stringify({ log, ...composer })],
    cwd: cwd ?? directory,
  });
  const until = { kind: "agent" as const, buckets: ["waiting" as const] };
  const ready = await link.client.call("terminal.wait", { id, until, timeoutMs: 20_000 });
  if (ready.result !== "met") throw new Error(`The composer never waited: ${ready.result}`);
  return { id, log };
}

/** Every prompt that it has taken, in order. */
export async function takenPrompts(log: string): Promise<string[]> {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}
