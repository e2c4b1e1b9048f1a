// What dies and comes back: daemons started by the verbs that may, one of each kind, respawned under a waiting verb.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { claimPidFile } from "@kolu/daemon/pid-file.ts";
import { expect, test } from "vitest";
import { type Kolu, startKolu } from "./start-kolu.ts";

async function listed(kolu: Kolu): Promise<TerminalRecord[]> {
  return JSON.parse(await kolu.ok(["ls", "--json"])) as TerminalRecord[];
}

async function killHard(pid: number | null): Promise<void> {
  if (pid === null) throw new Error("Nothing to kill.");
  process.kill(pid, "SIGKILL");
}

test("only create, restore and web start daemons; the others say so", async () => {
  await using kolu = await startKolu({ daemons: false });
  const id = randomUUID();
  const verbs = [
    ["ls"],
    ["send", id, "x"],
    ["wait", id, "--until", "idle:1"],
    ["debrief", id],
    ["snapshot", id],
  ];
  for (const args of [...verbs, ["history", id], ["kill", id], ["watch"], ["explain", id]])
    expect(await kolu.run(args), args.join(" ")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^kolu: No padi answers at .*`kolu create` and `kolu web` start it/),
    });
  expect(await kolu.pids()).toEqual({ padi: null, kaval: null });
  expect(await kolu.run(["restore"])).toMatchObject({ code: 0, stderr: "kolu: nothing to restore\n" });
  const both = { padi: expect.any(Number), kaval: expect.any(Number) };
  await expect.poll(() => kolu.pids(), { timeout: 20_000 }).toEqual(both);
});

test("creates that start at once share one padi and one kaval, and each types its own command whole", async () => {
  await using kolu = await startKolu({ daemons: false });
  const words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"];
  const ids = await Promise.all(
    words.map((word) => kolu.ok(["create", "--toplevel", "--", "echo", `${word}-said`, "$((40+2))"])),
  );
  expect(new Set(ids).size).toBe(words.length);
  for (const [index, id] of ids.entries()) {
    const line = `${words[index]}-said $((40+2))`;
    await kolu.ok(["wait", id, "--until", `match:^${words[index]}-said`, "--timeout", "30000"]);
    const screen = (await kolu.ok(["snapshot", id, "--tail", "20"])).split("\n");
    expect(screen.filter((text) => text === line)).toHaveLength(1);
    expect(screen.filter((text) => /said/.test(text) && !text.includes(words[index]!))).toEqual([]);
  }
  expect((await listed(kolu)).map((record) => record.id)).toEqual(ids.toSorted());
});

test("kill -9 of padi under a waiting verb: it is back within a second, and the wait is met", async () => {
  await using kolu = await startKolu();
  const id = await kolu.ok(["create", "--toplevel", "--intent", "survivor"]);
  const waiting = kolu.start(["wait", id, "--until", "match:^it-is-done", "--timeout", "60000", "--json"]);
  await using link = await kolu.padi();
  await kolu.whenListenedTo(id);
  const before = await kolu.pids();
  await killHard(before.padi);
  await link.closed;
  await waiting.whenSaid(/padi went away; bringing it back/);
  await expect.poll(async () => (await kolu.pids()).padi, { timeout: 20_000, interval: 20 }).not.toBe(null);
  await kolu.ok(["send", id, "echo it-is-done"]);
  await kolu.ok(["send", id, "--key", "Enter"]);
  const ended = await waiting.ended;
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    id,
    result: "met",
    fired: "match",
    matchedLine: "it-is-done",
  });
  const after = await kolu.pids();
  expect(after.kaval).toBe(before.kaval);
  expect(after.padi).not.toBe(before.padi);
  expect((await listed(kolu)).map(({ id, intent, life }) => ({ id, intent, life }))).toEqual([
    { id, intent: "survivor", life: "active" },
  ]);
});

test("a wait whose padi does not come back ends with its time, as a time-out", async () => {
  await using kolu = await startKolu();
  const id = await kolu.ok(["create", "--toplevel"]);
  const waiting = kolu.start(["wait", id, "--until", "match:^never", "--timeout", "4000"]);
  await kolu.whenListenedTo(id);
  // Somebody else is starting it, and does not come to an end with it.
  const turn = await claimPidFile(`${kolu.places.padiPid}.starter`);
  if (turn.kind !== "claimed") throw new Error("another starter is at work");
  await killHard((await kolu.pids()).padi);
  expect(await waiting.ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/timed out after 4/) });
  await turn.release();
});

test("kill -9 of padi under watch: it goes on, telling only what changed meanwhile", async () => {
  await using kolu = await startKolu();
  const id = await kolu.ok(["create", "--toplevel"]);
  const watching = kolu.start(["watch", "--json"]);
  await watching.whenPrinted(new RegExp(`"kind":"terminal".*"id":"${id}"`));
  await killHard((await kolu.pids()).padi);
  await watching.whenSaid(/bringing it back/);
  const next = await kolu.ok(["create", "--toplevel"]);
  await watching.whenPrinted(new RegExp(`"kind":"terminal".*"id":"${next}"`));
  watching.kill("SIGTERM");
  const { stdout } = await watching.ended;
  expect(stdout).not.toContain('"removed"');
});

test("kill -9 of kaval parks the terminals; restore brings them back under their ids", async () => {
  await using kolu = await startKolu();
  const ids = [await kolu.ok(["create", "--toplevel"]), await kolu.ok(["create", "--toplevel"])];
  await killHard((await kolu.pids()).kaval);
  await expect
    .poll(async () => (await listed(kolu)).map((record) => record.life), { timeout: 30_000 })
    .toEqual(["parked", "parked"]);
  expect(await kolu.run(["send", ids[0]!, "x"])).toMatchObject({ code: 1, stdout: "" });
  expect(await kolu.ok(["restore", ids[0]!.slice(0, 10)])).toBe(ids[0]);
  expect(await kolu.run(["restore", ids[0]!])).toMatchObject({ code: 1 });
  expect(JSON.parse(await kolu.ok(["restore", "--json"]))).toEqual({ restored: [ids[1]], failed: [] });
  const lives = (await listed(kolu)).map((record) => record.life);
  expect(lives).toEqual(["active", "active"]);
  await kolu.ok(["send", ids[0]!, "echo back-$((40+2))"]);
  await kolu.ok(["send", ids[0]!, "--key", "Enter"]);
  await kolu.ok(["wait", ids[0]!, "--until", "match:^back-42", "--timeout", "20000"]);
});

test("a socket that nobody serves any more cannot say which state to use", async () => {
  await using kolu = await startKolu({ daemons: false });
  const socket = join(kolu.home, "gone.sock");
  expect(await kolu.run(["create", "--toplevel", "--socket", socket])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/name a --state-root/),
  });
});
