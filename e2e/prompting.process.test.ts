// Prompts given to four programs at once, one of them slow, one that loses keys: every receipt is held against the
// program's own log.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { expect, test } from "vitest";
import { type Kolu, startKolu } from "./start-kolu.ts";

const WITHIN_MS = 20_000;

interface Program {
  pasteMs: number;
  enterMs: number;
  /** Enters without effect before each that has one. */
  loses: number;
  turnMs: number;
}

const programs: Record<string, { program: Program; prompts: number }> = {
  quick: { program: { pasteMs: 5, enterMs: 5, loses: 0, turnMs: 60 }, prompts: 16 },
  ordinary: { program: { pasteMs: 120, enterMs: 60, loses: 0, turnMs: 200 }, prompts: 12 },
  slow: { program: { pasteMs: 2_200, enterMs: 900, loses: 0, turnMs: 300 }, prompts: 4 },
  lossy: { program: { pasteMs: 60, enterMs: 20, loses: 1, turnMs: 120 }, prompts: 5 },
};

const LINES = Array.from({ length: 120 }, (_, index) => `${index + 1}. line`).join("\n");
/** Of every kind one, and in turn. */
const TEXTS = [
  "one line",
  "two\nlines",
  "'quotes' \"and\" `ticks` $(id) 語 👨‍👩‍👧 \\",
  LINES,
  "a\n\n  b\n\n\nc",
];

async function startProgram(
  kolu: Kolu,
  name: string,
  program: Program,
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
    argv: [path, JSON.stringify({ log, ...program })],
    cwd: directory,
  });
  const until = { kind: "agent" as const, buckets: ["waiting" as const] };
  const ready = await link.client.call("terminal.wait", { id, until, timeoutMs: WITHIN_MS });
  expect(ready).toMatchObject({ result: "met" });
  return { id, log };
}

async function taken(log: string): Promise<string[]> {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

test("every receipt is true, whatever the program is like", { timeout: 180_000 }, async () => {
  await using kolu = await startKolu();
  const runs = Object.entries(programs).map(async ([name, { program, prompts }]) => {
    const { id, log } = await startProgram(kolu, name, program);
    await using link = await kolu.padi();
    const given: string[] = [];
    for (let n = 0; n < prompts; n++) {
      const text = `${n}: ${TEXTS[n % TEXTS.length]}`;
      const receipt = await link.client.call("terminal.prompt", { id, text });
      expect([name, n, receipt.outcome]).toEqual([name, n, "accepted"]);
      given.push(text);
      // Before anything else could make it true.
      expect(await taken(log)).toEqual(given);
      const until = { kind: "agent" as const, buckets: ["waiting" as const] };
      await link.client.call("terminal.wait", { id, until, after: receipt.cursor, timeoutMs: WITHIN_MS });
    }
  });
  await Promise.all(runs);
});

test("what is not submitted is never called accepted, and nobody's draft is merged", {
  timeout: 90_000,
}, async () => {
  await using kolu = await startKolu();
  const { id, log } = await startProgram(kolu, "deaf", { pasteMs: 20, enterMs: 20, loses: 0, turnMs: 100 });
  await using link = await kolu.padi();
  const deaf = await link.client.call("terminal.prompt", { id, text: "DEAF to this one" });
  expect(deaf).toMatchObject({ outcome: "staged", draft: "DEAF to this one" });
  // It stands there now, and is somebody's draft for whoever comes next.
  await expect(link.client.call("terminal.prompt", { id, text: "merged" })).rejects.toMatchObject({
    kind: "draft-in-composer",
    data: { draft: "DEAF to this one" },
  });
  const both = [1, 2].map((n) => link.client.call("terminal.prompt", { id, text: `at once ${n}` }));
  await expect(Promise.any(both)).rejects.toThrow();
  expect(await taken(log)).toEqual([]);
  await link.client.call("terminal.sendInput", { id, key: "C-u" });
  const until = { kind: "idle" as const, idleMs: 300 };
  await link.client.call("terminal.wait", { id, until, timeoutMs: WITHIN_MS });
  expect(await link.client.call("terminal.prompt", { id, text: "now it may" })).toMatchObject({
    outcome: "accepted",
  });
  expect(await taken(log)).toEqual(["now it may"]);
  const shell = await kolu.ok(["create", "--toplevel"]);
  await expect(
    link.client.call("terminal.prompt", { id: shell as TerminalId, text: "x" }),
  ).rejects.toMatchObject({ kind: "no-agent" });
});
