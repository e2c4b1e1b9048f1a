// How terminals begin: what they are given, and what is refused without leaving anything behind.
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import { expect, test } from "vitest";
import { startKaval, type TestKaval } from "./start-kaval.ts";

const newId = (): TerminalId => TerminalId.parse(randomUUID());

test("a terminal has a clean environment: nothing of npm, of our Node or of another kolu", async () => {
  await using kaval = await startKaval({
    env: {
      PATH: `/work/node_modules/.bin:${process.env.PATH}`,
      npm_config_user_agent: "npm",
      NODE_OPTIONS: "--max-old-space-size=4000",
      NODE_PATH: "/x",
      KOLU_STATE_ROOT: "/elsewhere",
      KAVAL_TERMINAL_ID: "somebody else's",
    },
  });
  const id = await kaval.sh("env -0 | tr '\\0' '\\n'", {
    env: { PADI_SOCKET: "/p.sock" },
    pathEntries: ["/opt/tools"],
  });
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.untilExit();
  const lines = viewer.text.split("\r\n");
  expect(lines).toContain(`KAVAL_TERMINAL_ID=${id}`);
  expect(lines).toContain(`KAVAL_SOCKET=${kaval.places.kavalSocket}`);
  expect(lines).toContain("PADI_SOCKET=/p.sock");
  expect(lines).toContain("TERM=xterm-256color");
  expect(lines.find((line) => line.startsWith("PATH="))).toMatch(/^PATH=\/opt\/tools:/);
  expect(viewer.text).not.toMatch(/node_modules|npm_|NODE_|KOLU_STATE_ROOT/);
});

test("the directory, the grid and the command are those asked for", async () => {
  await using kaval = await startKaval();
  const cwd = join(kaval.home, "über uns");
  await mkdir(cwd);
  const id = await kaval.sh("pwd; stty size", { cwd, cols: 93, rows: 31 });
  await using viewer = await kaval.attach(id, { from: "last-input" });
  await viewer.untilExit();
  expect(viewer.text).toBe(`${cwd}\r\n31 93\r\n`);
  const { terminals } = await kaval.client.call("terminal.list", {});
  expect(terminals).toMatchObject([
    {
      id,
      life: "ended",
      commandRooted: true,
      cwd,
      cols: 93,
      rows: 31,
      exit: { code: 0, signal: 0 },
      pid: null,
    },
  ]);
});

test("without a command the user's shell starts, in the home directory, and is at its prompt", async () => {
  await using kaval = await startKaval({ env: { SHELL: "/bin/bash" } });
  const { id, pid, cwd } = await kaval.client.call("terminal.spawn", {});
  expect(cwd).toBe(kaval.home);
  for await (const item of kaval.client.subscribe("terminal.watch", {})) {
    const rows = item.kind === "snapshot" ? item.terminals : item.kind === "changed" ? [item.terminal] : [];
    const row = rows.find((one) => one.id === id);
    // A mark may tell of the prompt before the foreground was looked at for the first time.
    if (row?.atPrompt && row.foregroundPid !== null) {
      expect(row).toMatchObject({ foregroundPid: pid, commandRooted: false, argv: ["/bin/bash"] });
      break;
    }
  }
});

test("what cannot start is refused by name, and nothing is left of it", async () => {
  await using kaval = await startKaval();
  const file = join(kaval.home, "plain.txt");
  await writeFile(file, "no program");
  const attempts: [object, string][] = [
    [{ cwd: "/no/such/place" }, "not-a-directory"],
    [{ cwd: file }, "not-a-directory"],
    [{ argv: ["no-such-program-anywhere"] }, "spawn-failed"],
    [{ argv: ["/no/such/program"] }, "spawn-failed"],
    [{ argv: [file] }, "spawn-failed"],
    [{ argv: ["/tmp"] }, "spawn-failed"],
    [{ argv: [] }, "argv-empty"],
    [{ shell: "/no/such/shell" }, "spawn-failed"],
    [{ cols: 1 }, "bad-params"],
  ];
  for (const [request, kind] of attempts)
    await expect(kaval.client.call("terminal.spawn", request)).rejects.toMatchObject({ kind });
  expect((await kaval.client.call("terminal.list", {})).terminals).toEqual([]);
});

test("an id that runs is not given twice; one that ended is started again under it", async () => {
  await using kaval = await startKaval();
  const id = newId();
  await kaval.sh("sleep 100", { id });
  await expect(kaval.sh("true", { id })).rejects.toMatchObject({ kind: "bad-params" });
  await kaval.client.call("terminal.kill", { id });
  await kaval.sh("exit 4", { id });
  await using viewer = await kaval.attach(id);
  await viewer.untilExit();
  await kaval.sh("echo again; sleep 100", { id });
  await viewer.untilClosed();
  await using second = await kaval.attach(id, { from: "last-input" });
  await second.untilText("again");
});

test("two spawns of one id at the same moment give one terminal", async () => {
  await using kaval = await startKaval();
  const id = newId();
  const outcomes = await Promise.allSettled([kaval.sh("sleep 100", { id }), kaval.sh("sleep 100", { id })]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await kaval.client.call("stats", {})).terminals).toBe(1);
});

test("a row tells who is in front and what runs, and repaints are no activity", async () => {
  await using kaval = await startKaval({ env: { SHELL: "/bin/bash" } });
  const { id, pid } = await kaval.client.call("terminal.spawn", {});
  const rows = rowsOf(kaval, id);
  await rows.until((row) => row.atPrompt);
  await using viewer = await kaval.attach(id);
  viewer.type("sleep 1000\r");
  const busy = await rows.until((row) => row.foregroundPid !== null && row.foregroundPid !== pid);
  expect(busy.atPrompt).toBe(false);
  const marked = await rows.until((row) => row.command?.running === true);
  expect(marked.command?.line).toBe("sleep 1000");
  viewer.type("\x03");
  const free = await rows.until((row) => row.atPrompt && row.foregroundPid === pid);
  expect(free.command).toMatchObject({ running: false, exitStatus: 130 });
  expect(free.lastInputOffset).toBeGreaterThan(0);

  const repainting = await kaval.sh("trap 'seq 1 30' WINCH; echo ready; while :; do read x; done");
  const quiet = rowsOf(kaval, repainting);
  let row = await quiet.until((one) => one.offset >= 7);
  let excluded = false;
  // On a machine so busy that the repaint comes late it counts as output, rightly: then once more.
  for (let cols = 100; cols < 110 && !excluded; cols++) {
    const before = row;
    await kaval.client.call("terminal.resize", { id: repainting, cols, rows: 30 });
    row = await quiet.until((one) => one.offset >= before.offset + 111);
    excluded = row.lastOutputAtMs === before.lastOutputAtMs;
  }
  expect(excluded).toBe(true);
  await rows.end();
  await quiet.end();
});

/** Follows one terminal's row. */
function rowsOf(kaval: TestKaval, id: string) {
  const items = kaval.client.subscribe("terminal.watch", {})[Symbol.asyncIterator]();
  let latest: KavalTerminal | null = null;
  return {
    async until(holds: (row: KavalTerminal) => boolean): Promise<KavalTerminal> {
      while (!latest || !holds(latest)) {
        const { value: item } = await items.next();
        if (item.kind === "snapshot")
          latest = item.terminals.find((row: KavalTerminal) => row.id === id) ?? latest;
        if (item.kind === "changed" && item.terminal.id === id) latest = item.terminal;
      }
      return latest;
    },
    end: () => items.return?.(),
  };
}
