// How terminals and kaval itself end: nothing that they started lives on, and what was on the screens does.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startKaval, type TestKaval } from "./start-kaval.ts";

/** Hundreds of processes: a busy machine may take its time. */
const SLOW = { timeout: 240_000 };

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

async function rowsOf(kaval: TestKaval): Promise<Record<string, string>> {
  const { terminals } = await kaval.client.call("terminal.list", {});
  return Object.fromEntries(terminals.map((row) => [row.id, row.life]));
}

/** The pids that a program printed as `pid <n>`. */
function pidsIn(text: string): number[] {
  return [...text.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));
}

test("a tree that ignores HUP and TERM dies by KILL, its grandchildren in other sessions too", async () => {
  await using kaval = await startKaval();
  const stubborn = "trap '' HUP TERM; echo pid $$; while :; do sleep 1; done";
  const id = await kaval.sh(
    `trap '' HUP TERM; echo pid $$; (${stubborn.replace("$$", "$(exec sh -c 'echo $PPID')")}) & ` +
      `setsid sh -c "${stubborn.replaceAll("$", "\\$")}" & wait; while :; do sleep 1; done`,
  );
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.until(() => pidsIn(viewer.text).length === 3, "three pids");
  const pids = pidsIn(viewer.text);
  const answer = await kaval.client.call("terminal.kill", { id });
  expect(answer).toMatchObject({ id, pid: pids[0], survivors: [] });
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false, false]);
  expect(kaval.log()).toMatch(/SIGTERM to .*\n.*SIGKILL to /);
});

test("kill ends viewers and forgets the terminal; a second kill at the same moment gets the same answer", async () => {
  await using kaval = await startKaval();
  // It takes a second to die, so that the second call finds the first under way.
  const id = await kaval.sh("trap '' HUP; echo here; while :; do sleep 1; done");
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.untilText("here");
  const [one, two] = await Promise.all([
    kaval.client.call("terminal.kill", { id }),
    kaval.client.call("terminal.kill", { id }),
  ]);
  expect(one).toEqual(two);
  await viewer.untilClosed();
  expect(await rowsOf(kaval)).toEqual({});
  await expect(kaval.client.call("terminal.kill", { id })).rejects.toMatchObject({
    kind: "terminal-not-found",
  });
});

test("five hundred terminals come and go without leaving a descriptor or a process", SLOW, async () => {
  await using kaval = await startKaval();
  const comeAndGo = async (total: number): Promise<number> => {
    let left = total;
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const id = await kaval.sh("exec sleep 100");
        await kaval.client.call("terminal.kill", { id });
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    const { terminals, openDescriptors } = await kaval.client.call("stats", {});
    expect(terminals).toBe(0);
    return openDescriptors!;
  };
  const before = await comeAndGo(20);
  // The threads of the screens come and go with theirs, a dozen each; a leak would be five hundred at the least.
  expect((await comeAndGo(500)) - before).toBeLessThan(50);
});

test("terminals killed during floods stay dead", SLOW, async () => {
  await using kaval = await startKaval();
  const ids = await Promise.all(Array.from({ length: 10 }, () => kaval.sh("yes flood")));
  const viewers = await Promise.all(ids.map((id) => kaval.attach(id)));
  for (const viewer of viewers) viewer.acknowledges = false;
  await Promise.all(viewers.map((viewer) => viewer.until(() => viewer.offset > 1_000_000, "a flood")));
  await Promise.all(ids.map((id) => kaval.client.call("terminal.kill", { id })));
  await Promise.all(viewers.map((viewer) => viewer.untilClosed()));
  expect(await rowsOf(kaval)).toEqual({});
});

test("an ended terminal stays readable until it is removed", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("echo last words; exit 9");
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.untilExit();
  expect(await rowsOf(kaval)).toEqual({ [id]: "ended" });
  const { text } = await kaval.client.call("screen.text", { id, extent: { kind: "all" } });
  expect(text).toContain("last words");
  await expect(kaval.client.call("terminal.input", { id, text: "x" })).rejects.toMatchObject({
    kind: "terminal-not-live",
  });
  await using late = await kaval.attach(id);
  await late.untilExit();
  expect(late.exit).toEqual({ code: 9, signal: 0 });
  await kaval.client.call("terminal.remove", { id });
  expect(await rowsOf(kaval)).toEqual({});
});

test("a terminal that is put away has no process, its screen as it was, and can be started again", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("trap 'echo parting words; exit' HUP; echo pid $$; while :; do sleep 1; done");
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.until(() => pidsIn(viewer.text).length === 1, "its pid");
  const [pid] = pidsIn(viewer.text);
  const ended = { id, pid, survivors: [] };
  const twice = [1, 2].map(() => kaval.client.call("terminal.putAway", { id }));
  expect(await Promise.all(twice)).toEqual([ended, ended]);
  expect(await isAlive(pid!)).toBe(false);
  expect(await rowsOf(kaval)).toEqual({ [id]: "saved" });
  await viewer.untilClosed();
  const { text } = await kaval.client.call("screen.text", { id, extent: { kind: "all" } });
  expect(text).toContain(`pid ${pid}`);
  expect(text).not.toContain("parting words");
  expect(await kaval.client.call("terminal.putAway", { id })).toEqual({ ...ended, pid: null });
  expect(await kaval.stop()).toBe(0);
  await kaval.restart();
  await kaval.sh("echo awake; sleep 1000", { id, resumeScreen: true });
  await using again = await kaval.attach(id);
  await again.untilText("awake");
  expect(again.text).toContain(`pid ${pid}`);
});

test("a clean stop saves the screens and leaves no child", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("trap '' HUP; echo pid $$; while :; do sleep 1; done");
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.until(() => pidsIn(viewer.text).length === 1, "its pid");
  const [pid] = pidsIn(viewer.text);
  expect(await kaval.stop()).toBe(0);
  expect(await isAlive(pid!)).toBe(false);
  await kaval.restart();
  expect(await rowsOf(kaval)).toEqual({ [id]: "saved" });
  const { text } = await kaval.client.call("screen.text", { id, extent: { kind: "all" } });
  expect(text).toContain(`pid ${pid}`);
});

test("kill -9 hangs up the programs; the next kaval has their screens and starts them again under their ids", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("echo pid $$; echo before the crash; sleep 1000");
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.untilText("before the crash");
  const [pid] = pidsIn(viewer.text);
  await kaval.client.call("checkpoint.flush", {});
  await kaval.killHard();
  await expect.poll(() => isAlive(pid!), { timeout: 30_000 }).toBe(false);
  await kaval.restart();
  expect(await rowsOf(kaval)).toEqual({ [id]: "saved" });

  await using saved = await kaval.attach(id);
  await saved.untilExit();
  expect(saved.text).toContain("before the crash");
  await expect(kaval.client.call("terminal.input", { id, text: "x" })).rejects.toMatchObject({
    kind: "terminal-not-live",
  });

  await kaval.sh("echo after it; sleep 1000", { id, resumeScreen: true });
  await saved.untilClosed();
  await using again = await kaval.attach(id);
  await again.untilText("after it");
  expect(again.text.indexOf("before the crash")).toBeLessThan(again.text.indexOf("after it"));
  expect(again.text).toContain("before the crash");
  expect(await rowsOf(kaval)).toEqual({ [id]: "live" });
});

test("killing or removing a saved terminal forgets its screen for good", async () => {
  await using kaval = await startKaval();
  const ids = [await kaval.sh("sleep 100"), await kaval.sh("sleep 100"), await kaval.sh("sleep 100")];
  await kaval.client.call("checkpoint.flush", {});
  await kaval.stop();
  await kaval.restart();
  expect(Object.values(await rowsOf(kaval))).toEqual(["saved", "saved", "saved"]);
  expect(await kaval.client.call("terminal.kill", { id: ids[0]! })).toEqual({
    id: ids[0],
    pid: null,
    survivors: [],
  });
  await kaval.client.call("terminal.remove", { id: ids[1]! });
  await kaval.stop();
  await kaval.restart();
  expect(await rowsOf(kaval)).toEqual({ [ids[2]!]: "saved" });
});

test("a second kaval at the same state root leaves the first alone", async () => {
  await using kaval = await startKaval();
  const before = kaval.pid;
  const id = await kaval.sh("sleep 100");
  await kaval.startSecond().then((code) => expect(code).toBe(0));
  expect((await kaval.client.call("hello", {})).pid).toBe(before);
  expect(await rowsOf(kaval)).toEqual({ [id]: "live" });
});

test("a kaval whose log nobody reads goes on without it, quietly", async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("sleep 100");
  kaval.stopReadingLog();
  // Each of these writes to the log.
  for (let n = 0; n < 3; n++) await kaval.client.call("terminal.kill", { id: await kaval.sh("sleep 100") });
  expect(await rowsOf(kaval)).toEqual({ [id]: "live" });
});
