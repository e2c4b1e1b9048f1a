// The command padi-tui against a real padi: what it prints where, and how it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { shortId } from "@kolu/contract/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPadi, type TestPadi } from "./start-padi.ts";

const RUN = `
  import(process.argv[1]).then(async ({ padiTui }) => process.exit(await padiTui(process.argv.slice(2))));
`;

let padi: TestPadi;
beforeAll(async () => {
  padi = await startPadi();
});
afterAll(() => padi[Symbol.asyncDispose]());

interface Ended {
  code: number | null;
  out: string;
  talk: string;
}

function tui(...args: string[]): {
  child: ChildProcess;
  ended: Promise<Ended>;
  said(text: string): Promise<void>;
} {
  const child = spawn(process.execPath, ["-e", RUN, import.meta.resolve("./tui.ts"), ...args], {
    env: { PATH: process.env.PATH, HOME: padi.home, PADI_SOCKET: padi.places.padiSocket },
    cwd: padi.home,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let talk = "";
  const heard = new Set<() => void>();
  child.stdout!.on("data", (data: Buffer) => {
    out += data;
    for (const wake of heard) wake();
  });
  child.stderr!.on("data", (data: Buffer) => {
    talk += data;
  });
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, talk })));
  const said = async (text: string): Promise<void> => {
    while (!out.includes(text)) await new Promise<void>((resolve) => heard.add(resolve));
  };
  return { child, ended, said };
}

const report = (words: string): string => `printf '\\033]7501;${words}\\007'`;

test("create prints the id, and a wait on it ends by the bucket, the time or the terminal's end", async () => {
  const created = await tui(
    "create",
    "--toplevel",
    "--",
    "sh",
    "-c",
    `${report("state=working:app=x")}; read y; exec true`,
  ).ended;
  expect(created).toMatchObject({ code: 0, talk: "" });
  const id = created.out.trim();
  expect(padi.records.has(id)).toBe(true);
  const met = await tui("wait", id.slice(0, 8), "--until", "working", "--json").ended;
  expect(met.code).toBe(0);
  expect(JSON.parse(met.out)).toEqual({ id, agent: null });
  const timedOut = await tui("wait", id, "--until", "awaiting", "--timeout", "200").ended;
  expect(timedOut).toMatchObject({ code: 2, out: "" });
  const watching = tui("watch", shortId(id), "--json");
  await watching.said(id);
  // Whether it comes before or after the end, the wait has the same answer.
  const waiting = tui("wait", id, "--until", "awaiting").ended;
  await padi.client.call("terminal.kill", { id: id as never });
  expect((await waiting).code).toBe(3);
  const watched = await watching.ended;
  expect(watched.code).toBe(3);
  expect(JSON.parse(watched.out.trim().split("\n").at(-1)!)).toEqual({ id, removed: true });
});

test("status says what runs, for people and for scripts", async () => {
  const id = await padi.create({ intent: "named \x1b[31mred" });
  const json = JSON.parse((await tui("status", "--json").ended).out);
  expect(json).toMatchObject({ padi: { pid: padi.pid }, kaval: { state: "connected" } });
  expect(json.terminals.map((record: { id: string }) => record.id)).toContain(id);
  const plain = await tui("status").ended;
  expect(plain.out).toContain(shortId(id));
  expect(plain.out).not.toContain("\x1b");
});

test("failures are one sentence on stderr and end with 1, an interrupt with 130", async () => {
  for (const args of [
    [],
    ["frobnicate"],
    ["create", "--", "sh"],
    ["wait", "ffffffff", "--until", "waiting"],
    ["status", "--socket", "/nowhere/padi.sock"],
    ["create", "--toplevel", "--repo", "/r", "--", "sh"],
  ]) {
    const { code, out, talk } = await tui(...args).ended;
    expect({ args, code, out }).toEqual({ args, code: 1, out: "" });
    expect(talk).toMatch(/^padi-tui: /);
    expect(talk).not.toMatch(/\n {4}at /);
  }
  const watching = tui("watch");
  await watching.said("-");
  watching.child.kill("SIGINT");
  expect((await watching.ended).code).toBe(130);
});
