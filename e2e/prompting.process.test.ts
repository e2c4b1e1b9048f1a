// Prompts given to four programs at once, one of them slow, one that loses keys: every receipt is held against the
// program's own log.
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { expect, test } from "vitest";
import { type Composer, QUICK_COMPOSER, startComposer, takenPrompts } from "./composer-agent.ts";
import { startKolu } from "./start-kolu.ts";

const WITHIN_MS = 20_000;

const programs: Record<string, { program: Composer; prompts: number }> = {
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

test("every receipt is true, whatever the program is like", { timeout: 180_000 }, async () => {
  await using kolu = await startKolu();
  const runs = Object.entries(programs).map(async ([name, { program, prompts }]) => {
    const { id, log } = await startComposer(kolu, name, { composer: program });
    await using link = await kolu.padi();
    const given: string[] = [];
    for (let n = 0; n < prompts; n++) {
      const text = `${n}: ${TEXTS[n % TEXTS.length]}`;
      const receipt = await link.client.call("terminal.prompt", { id, text });
      expect([name, n, receipt.outcome]).toEqual([name, n, "accepted"]);
      given.push(text);
      // Before anything else could make it true.
      expect(await takenPrompts(log)).toEqual(given);
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
  const { id, log } = await startComposer(kolu, "deaf", {
    composer: { pasteMs: 20, enterMs: 20, loses: 0, turnMs: 100 },
  });
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
  expect(await takenPrompts(log)).toEqual([]);
  await link.client.call("terminal.sendInput", { id, key: "C-u" });
  const until = { kind: "idle" as const, idleMs: 300 };
  await link.client.call("terminal.wait", { id, until, timeoutMs: WITHIN_MS });
  expect(await link.client.call("terminal.prompt", { id, text: "now it may" })).toMatchObject({
    outcome: "accepted",
  });
  expect(await takenPrompts(log)).toEqual(["now it may"]);
  const shell = await kolu.ok(["create", "--toplevel"]);
  await expect(
    link.client.call("terminal.prompt", { id: shell as TerminalId, text: "x" }),
  ).rejects.toMatchObject({ kind: "no-agent" });
});

test("a first prompt reaches an agent that is only being started, though whoever asked has left", {
  timeout: 60_000,
}, async () => {
  await using kolu = await startKolu();
  // For its program: started by a line, in a terminal of its own.
  const { id: other, log } = await startComposer(kolu, "first");
  const directory = join(kolu.home, "first");
  const settings = JSON.stringify({ log, ...QUICK_COMPOSER });
  await using link = await kolu.padi();
  const placement = { kind: "toplevel" as const };
  const launched = {
    placement,
    cwd: directory,
    run: `./claude '${settings}'`,
    firstPrompt: "Begin.\nAnd go on.",
  };
  const outcomes: unknown[] = [];
  for await (const frame of link.client.subscribe("terminal.launch", launched))
    if (frame.kind === "prompted") outcomes.push(frame.outcome);
  expect(outcomes).toMatchObject([{ kind: "receipt", receipt: { outcome: "accepted" } }]);
  for await (const frame of link.client.subscribe("terminal.launch", { ...launched, firstPrompt: "Left." }))
    if (frame.kind === "made") break;
  await expect.poll(() => takenPrompts(log), { timeout: 20_000 }).toEqual(["Begin.\nAnd go on.", "Left."]);
  await link.client.call("terminal.kill", { id: other });
});
