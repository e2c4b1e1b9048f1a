// Waits against real terminals.
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { WaitCondition, WaitFrame } from "@kolu/contract/padi.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPadi, type TestPadi } from "./start-padi.ts";

let padi: TestPadi;
beforeAll(async () => {
  padi = await startPadi();
});
afterAll(() => padi[Symbol.asyncDispose]());

type More = Partial<{ settledMs: number; screenTail: number; timeoutMs: number; after: string }>;
const wait = (id: TerminalId, until: WaitCondition, more: More = {}): Promise<WaitFrame> =>
  padi.client.call("terminal.wait", { id, until, ...more });
const match = (pattern: string): WaitCondition => ({ kind: "match", pattern });
const idle = (idleMs: number): WaitCondition => ({ kind: "idle", idleMs });
const working: WaitCondition = { kind: "agent", buckets: ["working"] };

/** A program on the raw terminal: what is typed is not echoed, so that only its own words are output. */
const program = async (script: string): Promise<TerminalId> => {
  const id = await padi.create({ argv: ["/bin/sh", "-c", `stty -echo; ${script}`] });
  return id;
};

test("silence that lasts already is met at once", async () => {
  const id = await program("echo ready; read x");
  await wait(id, match("ready"));
  await wait(id, idle(2_000));
  // Were the silence counted anew, this could not be met within its time.
  expect(await wait(id, idle(2_000), { timeoutMs: 1_500 })).toMatchObject({
    result: "met",
    met: { fired: "idle" },
  });
});

test("silence after a send is counted from the send", async () => {
  const id = await program("echo ready; read x; sleep 0.5; echo answer; read y");
  await wait(id, match("ready"));
  await wait(id, idle(300));
  const after = await padi.type(id, "go\r");
  const frame = await wait(id, idle(800), { after, screenTail: 5 });
  expect(frame).toMatchObject({ result: "met", met: { screen: expect.stringContaining("answer") } });
});

test("a wait right after a send without its cursor is not met on the silence before it", async () => {
  const id = await program("echo ready; read x; echo answer; read y");
  await wait(id, match("ready"));
  await wait(id, idle(300));
  await padi.type(id, "go\r");
  const frame = await wait(id, idle(300), { screenTail: 5 });
  expect(frame).toMatchObject({ met: { screen: expect.stringContaining("answer") } });
});

test("a match looks at what came since the last input, over the edges of its pieces", async () => {
  const id = await program(
    "echo first marker; read x; printf 'sec'; sleep 0.3; printf 'ond mar'; sleep 0.3; echo ker; read y",
  );
  expect(await wait(id, match("first marker"))).toMatchObject({ met: { matchedLine: "first marker" } });
  await padi.type(id, "go\r");
  expect(await wait(id, match("first marker"), { timeoutMs: 300 })).toMatchObject({ result: "timeout" });
  expect(await wait(id, match("^second marker$"))).toMatchObject({ met: { matchedLine: "second marker" } });
  // It stands there now: a later wait finds it as well, for as long as nothing is typed.
  expect(await wait(id, match("^second marker$"))).toMatchObject({ result: "met" });
});

test("a match given a cursor looks at what came since then", async () => {
  const id = await program("read x; echo one; read y; echo two; read z");
  const first = await padi.type(id, "a\r");
  await wait(id, match("^one$"));
  const second = await padi.type(id, "b\r");
  expect(await wait(id, match("^two$"), { after: second })).toMatchObject({ result: "met" });
  expect(await wait(id, match("^one$"), { after: second, timeoutMs: 200 })).toMatchObject({
    result: "timeout",
  });
  expect(await wait(id, match("^one$"), { after: first })).toMatchObject({ result: "met" });
  const earlier = first.replace(/^[^:]+/, "00000000-0000-4000-8000-000000000000");
  expect(await wait(id, match("^one$"), { after: earlier })).toMatchObject({ result: "met" });
});

/** More than the ring keeps, 512 KiB, and less than the scrollback, 10 000 lines. */
const A_LOT = `yes '${"another word ".repeat(6)}' | head -n 9000`;

test("a match looks further back than output is kept, and never behind its cursor", async () => {
  const id = await program(
    `echo before; read x; printf 'the wanted word'; ${A_LOT}; echo over; read y; echo later; read z`,
  );
  await wait(id, match("before"));
  const after = await padi.type(id, "go\r");
  await wait(id, match("^over$"));
  await wait(id, idle(300));
  expect(await wait(id, match("wanted word"), { after })).toMatchObject({
    met: { matchedLine: expect.stringContaining("the wanted word") },
  });
  expect(await wait(id, match("wanted word"))).toMatchObject({ result: "met" });
  expect(await wait(id, match("before"), { after, timeoutMs: 300 })).toMatchObject({ result: "timeout" });
  const second = await padi.type(id, "go\r");
  expect(await wait(id, match("wanted word"), { after: second, timeoutMs: 300 })).toMatchObject({
    result: "timeout",
  });
  expect(await wait(id, match("^later$"), { after: second })).toMatchObject({ result: "met" });
});

test("colours do not hide a match, and it is reported as text", async () => {
  const id = await program("printf '\\033[32mPASS\\033[0m: \\033[1m3\\033[0m tests\\n'; read x");
  expect(await wait(id, match("PASS: \\d+ tests"))).toMatchObject({ met: { matchedLine: "PASS: 3 tests" } });
});

test("a wait runs into its time-out", async () => {
  const id = await program("while :; do echo tick; sleep 0.05; done");
  const frame = await wait(id, idle(2_000), { timeoutMs: 400 });
  expect(frame.result).toBe("timeout");
  await padi.client.call("terminal.kill", { id });
});

test("a terminal that ends is gone at once for whoever waits on it, and afterwards", async () => {
  const id = await program("read x; exit 0");
  const waits = [wait(id, idle(60_000)), wait(id, working), wait(id, match("never"))];
  await padi.type(id, "x\r");
  for (const frame of await Promise.all(waits)) expect(frame.result).toBe("gone");
  expect((await wait(id, working)).result).toBe("gone");
});

test("a terminal that is killed is gone too", async () => {
  const id = await program("read x");
  const waiting = wait(id, working);
  await padi.client.call("terminal.kill", { id });
  expect((await waiting).result).toBe("gone");
});

test("a match among the last bytes of a program counts", async () => {
  const id = await program("read x; echo the very end; exit 0");
  const waiting = wait(id, match("the very end"), { screenTail: 3 });
  await padi.type(id, "x\r");
  expect(await waiting).toMatchObject({
    result: "met",
    met: { screen: expect.stringContaining("the very end") },
  });
});

test("an id that never was is no such terminal, and a pattern or cursor that is none is refused", async () => {
  const nobody = "00000000-0000-4000-8000-00000000dead" as TerminalId;
  await expect(wait(nobody, working)).rejects.toMatchObject({ kind: "terminal-not-found" });
  const id = await program("read x");
  await expect(wait(id, match("("))).rejects.toMatchObject({ kind: "bad-pattern" });
  await expect(wait(id, match("x*"))).rejects.toMatchObject({ kind: "bad-pattern" });
  await expect(wait(id, working, { after: "yesterday" })).rejects.toMatchObject({ kind: "bad-cursor" });
});

test("the screen of a settled wait holds everything that was printed before the silence", async () => {
  const id = await program("for i in 1 2 3 4 5 6 7 8; do echo step $i; sleep 0.1; done; read x");
  const frame = await wait(id, match("step 1"), { settledMs: 600, screenTail: 3 });
  expect(frame).toMatchObject({ met: { screen: "step 6\nstep 7\nstep 8" } });
});

test("a program that reports in band is waited on like an agent", async () => {
  const report = (words: string): string => `printf '\\033]7501;state=${words}\\007'`;
  const id = await program(
    `${report("working:app=deploy")}; read x; ${report("blocked:app=deploy:kind=question")}; read y; ${report("done:app=deploy")}; read z`,
  );
  expect((await wait(id, working)).result).toBe("met");
  const after = await padi.type(id, "x\r");
  expect(await wait(id, { kind: "agent", buckets: ["awaiting"] }, { after })).toMatchObject({
    result: "met",
  });
  const last = await padi.type(id, "y\r");
  // The question stood before this send: only what follows it counts.
  expect(await wait(id, { kind: "agent", buckets: ["awaiting", "waiting"] }, { after: last })).toMatchObject({
    result: "met",
  });
  await padi.until(id, (record) => record?.program?.state === "done");
});

test("a caller that leaves takes its wait with it", async () => {
  const id = await program("read x");
  const before = await padi.kaval(async (client) => (await client.call("stats", {})).viewers);
  const abort = new AbortController();
  const waiting = padi.client.call("terminal.wait", { id, until: match("never") }, { signal: abort.signal });
  await expect
    .poll(() => padi.kaval(async (client) => (await client.call("stats", {})).viewers))
    .toBe(before + 1);
  abort.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect
    .poll(() => padi.kaval(async (client) => (await client.call("stats", {})).viewers))
    .toBe(before);
});

test("the death of kaval closes a wait, which can be asked again", async () => {
  await using own = await startPadi();
  const id = await own.create({ argv: ["/bin/sh", "-c", "read x"] });
  const waiting = own.client.call("terminal.wait", { id, until: { kind: "idle", idleMs: 60_000 } });
  await expect.poll(() => own.kaval(async (client) => (await client.call("stats", {})).viewers)).toBe(1);
  await own.killKavalHard();
  expect((await waiting).result).toMatch(/closed|gone/);
  await own.until(id, (record) => record?.life === "parked");
  expect(await own.client.call("terminal.wait", { id, until: { kind: "idle", idleMs: 1 } })).toMatchObject({
    result: "gone",
  });
});
