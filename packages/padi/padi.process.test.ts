// padi and kaval as real processes: what survives whose death, and what is typed where.
import { execFile } from "node:child_process";
import { mkdir, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { dialAttach } from "@kolu/wire/dial.ts";
import { expect, test } from "vitest";
import { CLAUDE_HOME, SESSION } from "./claude-for-test.ts";
import { startPadi } from "./start-padi.ts";

const isActive = (record: TerminalRecord | undefined): record is TerminalRecord => record?.life === "active";
const isParked = (record: TerminalRecord | undefined): record is TerminalRecord => record?.life === "parked";
const isGone = (record: TerminalRecord | undefined): record is undefined => record === undefined;

test("a terminal is created with its facts, and killed without a survivor", async () => {
  await using padi = await startPadi();
  const id = await padi.create({
    intent: "🔧 parser",
    cwd: padi.home,
    place: { at: { x: 1_000, y: 2_000 }, size: { w: 300, h: 200 } },
  });
  const record = await padi.until(id, isActive);
  expect(record).toMatchObject({
    intent: "🔧 parser",
    cwd: padi.home,
    layout: { x: 840, y: 1_896, w: 300, h: 200 },
  });
  const killed = await padi.client.call("terminal.kill", { id });
  expect(killed).toEqual({ id, pid: record.pid, survivors: [] });
  await padi.until(id, isGone);
  await expect(padi.client.call("terminal.kill", { id })).rejects.toMatchObject({ kind: "terminal-gone" });
  await expect(padi.client.call("terminal.sendInput", { id, text: "x" })).rejects.toMatchObject({
    kind: "terminal-gone",
  });
});

test("a terminal knows its padi and has its tools", async () => {
  await using padi = await startPadi();
  const id = await padi.create({
    run: 'echo "[$PADI_SOCKET] [$KOLU_TERMINAL_TOOLS_PATH] [$(echo $PATH | cut -d: -f1)]"',
  });
  const { places } = padi;
  const line = `[${places.padiSocket}] [${places.launchers}] [${places.launchers}]`;
  const met = await padi.client.call("terminal.wait", { id, until: { kind: "match", pattern: "^\\[" } });
  expect(met).toMatchObject({ result: "met", met: { matchedLine: line } });
});

test("a program that asks for its colours is told those of its theme, though no page looks", async () => {
  await using padi = await startPadi();
  const id = await padi.create();
  const asked = async (expected: string): Promise<void> => {
    // The answer ends in ST; what the program read is shown without its escapes.
    await padi.type(
      id,
      "clear; stty raw -echo; printf '\\033]11;?\\033\\\\'; read -rs -d '\\' -t 5 a; stty sane; echo \"<$(printf %s \"$a\" | tr -cd 0-9a-f:/)>\"\r",
    );
    const until = { kind: "match", pattern: `<.*${expected}.*>` } as const;
    expect(await padi.client.call("terminal.wait", { id, until, timeoutMs: 10_000 })).toMatchObject({
      result: "met",
    });
  };
  await padi.until(id, isActive);
  await asked("0e0e/0f0f/1212");
  await padi.client.call("preferences.set", { scheme: "light" });
  await asked("ffff/ffff/ffff");
  await padi.client.call("terminal.setTheme", { id, themeName: "Kolu Night" });
  await asked("0e0e/0f0f/1212");
});

test("kill -9 of padi while output streams costs nothing", async () => {
  await using padi = await startPadi();
  const parent = await padi.create({ intent: "builder" });
  const child = await padi.create({ placement: { kind: "child-of", parentId: parent } });
  await padi.client.call("layout.set", {
    layouts: [{ id: parent, layout: { x: 24, y: 48, w: 640, h: 400 } }],
  });
  await padi.client.call("terminal.setTheme", { id: child, themeName: "light" });
  await padi.client.call("preferences.set", { fontPx: 17 });
  await padi.type(parent, "i=0; while [ $i -lt 100000 ]; do echo line $i; i=$((i+1)); done\r");
  await padi.client.call("terminal.wait", { id: parent, until: { kind: "match", pattern: "^line 50$" } });
  await padi.client.call("terminal.setIntent", { id: child, intent: "the very last word" });
  await padi.killHard();
  await padi.restart();
  expect(await padi.until(parent, isActive)).toMatchObject({
    intent: "builder",
    layout: { x: 24, y: 48, w: 640, h: 400 },
  });
  expect(await padi.until(child, isActive)).toMatchObject({
    parentId: parent,
    themeName: "light",
    intent: "the very last word",
  });
  expect(padi.records.size).toBe(2);
  for await (const preferences of padi.client.subscribe("preferences.watch", {})) {
    expect(preferences.fontPx).toBe(17);
    break;
  }
  // The same shell goes on with the same loop.
  const later = await padi.client.call("terminal.wait", {
    id: parent,
    until: { kind: "match", pattern: "line \\d+" },
  });
  expect(later.result).toBe("met");
});

test("kill -9 of kaval parks its terminals, and restore brings shells back under their ids below the old screen", async () => {
  await using padi = await startPadi();
  const id = await padi.create({ run: "echo before the fall", cwd: padi.home });
  const other = await padi.create();
  await padi.client.call("terminal.wait", { id, until: { kind: "match", pattern: "^before the fall$" } });
  await padi.kaval((client) => client.call("checkpoint.flush", {}));
  await padi.killKavalHard();
  expect(await padi.until(id, isParked)).toMatchObject({ pid: null, cwd: padi.home });
  await padi.until(other, isParked);
  await expect(padi.client.call("terminal.sendInput", { id, text: "x" })).rejects.toMatchObject({
    kind: "terminal-not-live",
  });
  expect(await padi.client.call("terminal.wait", { id, until: { kind: "idle", idleMs: 1 } })).toMatchObject({
    result: "gone",
  });
  expect(await padi.screen(id)).toContain("before the fall");
  const { restored, failed } = await padi.client.call("terminal.restore", {});
  expect(restored.sort()).toEqual([id, other].sort());
  expect(failed).toEqual([]);
  await padi.until(id, isActive);
  await padi.type(id, "echo after $((1+1)) it\r");
  await padi.client.call("terminal.wait", { id, until: { kind: "match", pattern: "^after 2 it$" } });
  const screen = await padi.screen(id);
  expect(screen.indexOf("before the fall")).toBeGreaterThanOrEqual(0);
  expect(screen.indexOf("before the fall")).toBeLessThan(screen.indexOf("after 2 it"));
  await expect(padi.client.call("terminal.restore", {})).rejects.toMatchObject({
    kind: "nothing-to-restore",
  });
});

test("whoever prefers it has parked terminals restored without being asked", async () => {
  await using padi = await startPadi();
  const id = await padi.create({ cwd: padi.home });
  await padi.client.call("preferences.set", { restore: "auto" });
  const { pid } = await padi.until(id, (one): one is TerminalRecord => one?.pid != null);
  await padi.killKavalHard();
  const record = await padi.until(id, (one): one is TerminalRecord => one?.pid != null && one.pid !== pid);
  expect(record).toMatchObject({ life: "active", cwd: padi.home });
});

test("a shell that ends well before its line is typed leaves nothing, and that is said", async () => {
  await using padi = await startPadi({ files: { ".bashrc": "exit 0\n" } });
  await expect(padi.create({ run: "echo never" })).rejects.toMatchObject({
    kind: "stopped-partway",
    data: { landed: {}, notTyped: "echo never" },
  });
});

test("both daemons dying at once is the same as kaval's death", async () => {
  await using padi = await startPadi();
  const id = await padi.create({ intent: "both" });
  await padi.killHard();
  await padi.killKavalHard();
  await padi.restart();
  expect(await padi.until(id, isParked)).toMatchObject({ intent: "both" });
});

test("a second padi on one state root leaves the first alone", async () => {
  await using padi = await startPadi();
  expect(await padi.startSecond()).toBe(0);
  expect((await padi.client.call("hello", {})).pid).toBe(padi.pid);
});

test("a shell that ends well closes its tile, another end stays readable until it is closed", async () => {
  await using padi = await startPadi();
  const parent = await padi.create();
  const well = await padi.create({ placement: { kind: "child-of", parentId: parent } });
  const grandchild = await padi.create({ placement: { kind: "child-of", parentId: well } });
  const badly = await padi.create();
  await padi.type(well, "exit\r");
  await padi.until(well, isGone);
  expect(padi.records.get(grandchild)?.parentId).toBe(parent);
  await padi.type(badly, "echo last words; exit 3\r");
  const record = await padi.until(badly, (one): one is TerminalRecord => one?.life === "exited");
  expect(record.exit).toEqual({ code: 3, signal: 0 });
  expect(await padi.screen(badly)).toContain("last words");
  await expect(padi.client.call("terminal.sendInput", { id: badly, text: "x" })).rejects.toMatchObject({
    kind: "terminal-not-live",
  });
  await padi.killHard();
  await padi.restart();
  expect((await padi.until(badly, (one) => one !== undefined))?.life).toBe("exited");
  await padi.client.call("terminal.kill", { id: badly });
  await padi.until(badly, isGone);
});

test("a killed terminal stays dead when a kaval that never heard of it comes back", async () => {
  await using padi = await startPadi();
  const id = await padi.create();
  await padi.until(id, isActive);
  await padi.killHard();
  // As if the kill had been decided and padi had died before kaval knew.
  const { openPadiDb } = await import("./db/db.ts");
  const db = openPadiDb(padi.places.stateRoot);
  db.tombstones.put({ id, removedAtMs: Date.now(), kavalMayHold: true });
  db.terminals.remove(id);
  db.close();
  await padi.restart();
  await expect
    .poll(() => padi.kaval(async (client) => (await client.call("terminal.list", {})).terminals.length))
    .toBe(0);
  expect(padi.records.has(id)).toBe(false);
});

test("a terminal that somebody made in kaval is adopted, and goes when they kill it there", async () => {
  await using padi = await startPadi();
  await padi.create();
  const { id } = await padi.kaval((client) => client.call("terminal.spawn", { cwd: padi.home }));
  expect(await padi.until(id, isActive)).toMatchObject({ cwd: padi.home, parentId: null });
  await padi.kaval((client) => client.call("terminal.kill", { id }));
  await padi.until(id, isGone);
  expect(await padi.client.call("terminal.wait", { id, until: { kind: "idle", idleMs: 1 } })).toMatchObject({
    result: "gone",
  });
});

test("eight terminals made at once each get their own line, once and whole", async () => {
  await using padi = await startPadi();
  await eightAtOnce(padi);
});

test("and so they do under a shell that takes three seconds to start", async () => {
  await using padi = await startPadi({ files: { ".bashrc": "sleep 3\n" } });
  await eightAtOnce(padi);
});

async function eightAtOnce(padi: Awaited<ReturnType<typeof startPadi>>): Promise<void> {
  const words = Array.from({ length: 8 }, (_, n) => String.fromCharCode(97 + n).repeat(40));
  const ids = await Promise.all(
    words.map((word, n) => padi.create({ cwd: padi.home, run: `echo ${word} | tee got-${n}` })),
  );
  for (const [n, id] of ids.entries()) {
    const frame = await padi.client.call("terminal.wait", {
      id,
      until: { kind: "match", pattern: `^${words[n]}$` },
    });
    expect(frame.result).toBe("met");
    const screen = await padi.screen(id);
    expect(screen.split("\n").filter((line) => line.trim() === words[n])).toHaveLength(1);
    for (const [other, word] of words.entries()) if (other !== n) expect(screen).not.toContain(word);
  }
  expect((await readdir(padi.home)).filter((name) => name.startsWith("got-"))).toHaveLength(8);
}

test("what stopped half-way names the terminal that stands and the line that was not typed", async () => {
  await using padi = await startPadi({ files: { ".bashrc": "exit 4\n" } });
  const refusal = await padi
    .create({ run: "echo never" })
    .then(() => null)
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({ kind: "stopped-partway", data: { notTyped: "echo never" } });
  const { id } = (refusal as { data: { landed: { id: TerminalId } } }).data.landed;
  expect((await padi.until(id, (one) => one?.life === "exited"))?.exit).toMatchObject({ code: 4 });
});

test("a parent has to exist and cannot lie inside its child", async () => {
  await using padi = await startPadi();
  const parent = await padi.create();
  const child = await padi.create({ placement: { kind: "child-of", parentId: parent } });
  const nowhere = "00000000-0000-4000-8000-000000000000" as TerminalId;
  await expect(padi.create({ placement: { kind: "child-of", parentId: nowhere } })).rejects.toMatchObject({
    kind: "terminal-not-found",
  });
  await expect(padi.client.call("terminal.setParent", { id: parent, parentId: child })).rejects.toMatchObject(
    { kind: "parent-cycle", data: { reason: "would-cycle" } },
  );
  await expect(padi.create({ cwd: join(padi.home, "none") })).rejects.toMatchObject({
    kind: "not-a-directory",
  });
  await padi.client.call("terminal.setParent", { id: child, parentId: null });
  expect((await padi.until(child, (one) => one?.parentId === null))?.id).toBe(child);
});

test("a drained padi leaves its terminals in kaval for the next one", async () => {
  await using padi = await startPadi();
  const id = await padi.create({ intent: "stays" });
  const { pid } = await padi.until(id, isActive);
  await padi.client.call("drain", { reason: "a test" }).catch(() => {});
  expect(await padi.stop()).toBe(0);
  await padi.restart();
  expect(await padi.until(id, isActive)).toMatchObject({ intent: "stays" });
  expect((await padi.until(id, (one) => one?.pid != null))?.pid).toBe(pid);
});

test("an idle padi writes nothing", async () => {
  await using padi = await startPadi();
  const id = await padi.create();
  await padi.client.call("terminal.wait", { id, until: { kind: "idle", idleMs: 1_500 } });
  await padi.client.call("terminals.list", { settleMs: 2_000 });
  const sizes = async (): Promise<number[]> =>
    Promise.all(["", "-wal"].map(async (end) => (await stat(`${padi.places.database}${end}`)).mtimeMs));
  const before = await sizes();
  await padi.client.call("terminal.wait", {
    id,
    until: { kind: "agent", buckets: ["waiting"] },
    timeoutMs: 1_500,
  });
  expect(await sizes()).toEqual(before);
});

test("a viewer reaches its terminal through padi, bytes unread", async () => {
  await using padi = await startPadi();
  const id = await padi.create();
  const target = { socketPath: padi.places.padiSocket };
  let seen = "";
  const answered = Promise.withResolvers<void>();
  const viewer = await dialAttach(target, id, {}, (frame) => {
    if (frame.kind === "output") seen += Buffer.from(frame.bytes).toString("latin1");
    if (seen.includes("got 42")) answered.resolve();
  });
  viewer.send({ kind: "input", seq: 1, bytes: Buffer.from("echo got $((6*7))\r") });
  await answered.promise;
  viewer.close();
  const nowhere = await dialAttach(target, "00000000-0000-4000-8000-000000000000", {}, () => {});
  await nowhere.closed;
});

test("a face that comes back gets what it missed as a delta", async () => {
  await using padi = await startPadi();
  const id = await padi.create();
  let since: { boot: string; revision: number } | undefined;
  for await (const frame of padi.client.subscribe("terminals.watch", {})) {
    if (frame.kind === "snapshot") since = { boot: frame.boot, revision: frame.revision };
    break;
  }
  await padi.client.call("terminal.setIntent", { id, intent: "missed" });
  for await (const frame of padi.client.subscribe("terminals.watch", { since })) {
    expect(frame).toMatchObject({ kind: "delta", upserts: [{ id, intent: "missed" }] });
    break;
  }
});

test("terminals killed in the middle of their floods stay dead over the death of padi", async () => {
  await using padi = await startPadi();
  const ids = await Promise.all(Array.from({ length: 10 }, () => padi.create({ argv: ["yes", "a flood"] })));
  const kills = ids.map((id) => padi.client.call("terminal.kill", { id }).catch(() => {}));
  // The first answer is out, the others are somewhere between decided and done.
  await Promise.race(kills);
  await padi.killHard();
  await padi.restart();
  await expect
    .poll(() => padi.kaval(async (client) => (await client.call("terminal.list", {})).terminals.length), {
      timeout: 20_000,
    })
    .toBe(0);
  for (const id of ids) await padi.until(id, isGone);
});

test("a terminal opens in a fresh worktree, and its record says which", async () => {
  await using padi = await startPadi();
  const repo = join(padi.home, "project");
  const git = (...args: string[]) => promisify(execFile)("git", ["-C", repo, ...args]);
  await mkdir(repo);
  await git("init", "--initial-branch=main");
  await git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--allow-empty", "-m", "first");
  const created = await padi.client.call("terminal.create", {
    placement: { kind: "toplevel" },
    repo,
    worktree: "fix-lexer",
    run: "touch made-here",
  });
  const path = join(await realpath(repo), ".worktrees", "fix-lexer");
  expect(created).toMatchObject({ ran: "touch made-here", worktree: { path, branch: "fix-lexer" } });
  const record = await padi.until(created.id, (one): one is TerminalRecord => one?.git?.dirty === true);
  expect(record).toMatchObject({
    cwd: path,
    git: { name: "project", branch: "fix-lexer", isWorktree: true, root: path },
  });
  await expect(padi.create({ repo, worktree: "fix-lexer" })).rejects.toMatchObject({
    kind: "worktree-name-collision",
  });
  await padi.type(created.id, `cd ${repo}\r`);
  await padi.until(created.id, (one) => one?.git?.branch === "main");
  await padi.type(created.id, "cd /\r");
  await padi.until(created.id, (one) => one?.cwd === "/" && one.git === null);
});

for (const dies of ["kaval alone", "padi, then kaval"]) {
  test(`an agent comes back on its exact conversation after the death of ${dies}`, async () => {
    await using padi = await startPadi({ files: CLAUDE_HOME });
    const id = await padi.create({ cwd: padi.home, run: "claude --model opus 'a prompt'" });
    await padi.until(id, (one) => one?.agent?.sessionId === SESSION && one.command?.running === true);
    if (dies !== "kaval alone") await padi.killHard();
    await padi.killKavalHard();
    if (dies !== "kaval alone") await padi.restart();
    const parked = await padi.until(id, isParked);
    expect(parked.agent).toMatchObject({
      kind: "claude-code",
      sessionId: SESSION,
      state: "unknown",
      bucket: null,
    });
    await padi.client.call("terminal.restore", { ids: [id] });
    const back = await padi.until(
      id,
      (one): one is TerminalRecord => one?.agent?.state === "waiting" && one.command?.running === true,
    );
    expect(back).toMatchObject({
      life: "active",
      agent: { sessionId: SESSION },
      command: { line: `claude --resume ${SESSION} --model opus` },
      unread: 0,
    });
  });
}
