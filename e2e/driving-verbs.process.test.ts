// The verbs of a supervisor, through the real command and real daemons.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { whenServing } from "@kolu/daemon/start-daemon.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Kolu, startKolu } from "./start-kolu.ts";

let kolu: Kolu;
beforeEach(async () => {
  kolu = await startKolu();
});
afterEach(() => kolu[Symbol.asyncDispose]());

/** A terminal whose program says that it asks, in band, each time a line is typed; and is at work in between. */
async function asker(intent: string): Promise<string> {
  const script = 'while read line; do printf "\\033]7501;state=$line\\007"; done';
  const id = await kolu.ok(["create", "--toplevel", "--intent", intent, "--", "sh", "-c", script]);
  await kolu.ok(["wait", id, "--until", "idle:300", "--timeout", "20000"]);
  return id;
}

async function says(id: string, state: string): Promise<void> {
  await kolu.ok(["send", id, state]);
  await kolu.ok(["send", id, "--key", "Enter"]);
}

test("watch supervises over padi's death, tells each settle once, and ends its subscription", async () => {
  const id = await asker("supervised");
  await says(id, "blocked");
  const watching = kolu.start(["watch", "--states", "awaiting", "--json", "--heartbeat", "1h"]);
  await watching.whenPrinted(/"kind":"snapshot"/);
  await says(id, "working");
  await says(id, "blocked");
  await watching.whenPrinted(/"kind":"transition"/);
  process.kill((await kolu.pids()).padi!, "SIGKILL");
  await watching.whenSaid(/bringing it back/);
  await whenServing(kolu.places.padiSocket, AbortSignal.timeout(20_000));
  await kolu.ok(["wait", id, "--until", "awaiting", "--timeout", "20000"]);
  await says(id, "working");
  await says(id, "blocked");
  await watching.whenPrinted(/"kind":"transition"[\s\S]*"kind":"transition"/);
  watching.kill("SIGINT");
  const { code, stdout } = await watching.ended;
  expect(code).toBe(130);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ kind }) => kind)).toEqual(["heartbeat", "snapshot", "transition", "transition"]);
  expect(events.slice(1).every((event) => event.id === id && event.intent === "supervised")).toBe(true);
  // Its name is taken again by nobody: the subscription went with it.
  await using link = await kolu.padi();
  await expect(link.client.call("watch.close", { name: "none" })).rejects.toMatchObject({
    kind: "watch-not-found",
    data: { known: [] },
  });
});

test("a reader that hangs up ends watch well", async () => {
  const id = await asker("piped");
  await says(id, "blocked");
  const entry = join(import.meta.dirname, "..", "packages", "cli", "bin", "kolu.js");
  const command = `node '${entry}' watch --nag 50ms --states awaiting | head -1; echo "\${PIPESTATUS[0]}"`;
  const child: ChildProcess = spawn("bash", ["-c", command], {
    env: kolu.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout!.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  expect(printed.split("\n").at(-2)).toBe("0");
  expect(printed).toMatch(/snapshot +awaiting .*piped/);
});

test("text is found in every terminal, and a link leads to one", async () => {
  const id = await kolu.ok(["create", "--toplevel", "--", "echo", "find me 語"]);
  await kolu.ok(["wait", id, "--until", "match:^find me", "--timeout", "20000"]);
  const { hits } = JSON.parse(await kolu.ok(["search", "--json", "find me 語"]));
  expect(hits[0]).toMatchObject({ id, where: "screen" });
  expect(await kolu.run(["open", id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("kolu web"),
  });
});

test("stop leaves the terminals running; stop --all ends them only when that is said", async () => {
  const id = await kolu.ok(["create", "--toplevel"]);
  expect(JSON.parse(await kolu.ok(["status", "--json"]))).toMatchObject({
    terminals: { active: 1 },
    servers: [],
  });
  await kolu.ok(["doctor"]);
  await kolu.ok(["stop"]);
  expect(await kolu.run(["stop"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("nothing to stop"),
  });
  expect(await kolu.run(["status"])).toMatchObject({ code: 1 });
  const next = await kolu.ok(["create", "--toplevel"]);
  const rows: { id: string; life: string }[] = JSON.parse(await kolu.ok(["ls", "--json"]));
  expect(rows.map((row) => [row.id, row.life]).sort()).toEqual(
    [
      [id, "active"],
      [next, "active"],
    ].sort(),
  );
  expect(await kolu.run(["stop", "--all"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("2 terminals"),
  });
  await kolu.ok(["stop", "--all", "--yes"]);
  expect(await kolu.run(["stop", "--all"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("no kaval"),
  });
});
