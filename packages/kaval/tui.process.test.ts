// kaval-tui as a person or a script meets it: output, exit codes, and a real terminal around `attach`.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { placesFor } from "@kolu/daemon/places.ts";
import { expect, test } from "vitest";
import { type Pty, spawnPty } from "./pty.ts";
import { startKaval, type TestKaval } from "./start-kaval.ts";

const ENTRY = new URL("./fixtures/run-kaval-tui.ts", import.meta.url).pathname;

/** Every command line here is a process that loads itself from source: a busy machine may take its time. */
const SLOW = { timeout: 180_000 };
const POLL = { timeout: 30_000 };

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

function environmentOf(kaval: TestKaval): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: kaval.home,
    TERM: "xterm-256color",
    KAVAL_SOCKET: kaval.places.kavalSocket,
  };
}

function runTui(
  env: Record<string, string>,
  args: string[],
  more: { stdin?: string; signalAfter?: [text: string, signal: NodeJS.Signals]; cwd?: string } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [ENTRY, ...args], { env, cwd: more.cwd ?? "/" });
    const ran: Ran = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      ran.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      ran.stderr += text;
    });
    if (more.stdin !== undefined) child.stdin.write(more.stdin);
    child.stdin.end();
    child.once("close", (code) => resolve({ ...ran, code }));
  });
}

test(
  "list, create, send, wait, snapshot, history, kill: the whole life of a terminal from a script",
  SLOW,
  async () => {
    await using kaval = await startKaval();
    const env = environmentOf(kaval);
    const tui = (...args: string[]): Promise<Ran> => runTui(env, args);
    expect(await tui("list")).toMatchObject({ code: 0, stdout: "no terminals.\n" });

    const created = await tui("create", "--cwd", kaval.home, "--env", "WORD=hello", "--", "/bin/sh");
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
    const id = created.stdout.trim();
    expect(created.stderr).toMatch(
      new RegExp(`^kaval-tui: spawned ${id.slice(0, 8)} · /bin/sh · .* \\(pid \\d+\\)\n$`),
    );

    const short = id.slice(0, 6).toUpperCase();
    expect((await tui("wait", short, "--until", "idle:100")).code).toBe(0);
    const sent = await tui("send", short, "echo $WORD; seq 1 300", "--json");
    expect(JSON.parse(sent.stdout)).toMatchObject({ id, bytes: 21, paste: false, keys: [] });
    expect(sent.stderr).toBe(`kaval-tui: sent 21 bytes to ${id.slice(0, 8)}\n`);
    expect(await tui("send", short, "--key", "Enter")).toMatchObject({
      code: 0,
      stderr: `kaval-tui: sent 1 bytes to ${id.slice(0, 8)} · keys: Enter\n`,
    });
    const met = await tui("wait", short, "--until", "match:^300$", "--timeout", "10000", "--json");
    expect(met.code).toBe(0);
    expect(JSON.parse(met.stdout)).toMatchObject({ id, result: "met", fired: "match", matchedLine: "300" });

    const listed = JSON.parse((await tui("list", "--json")).stdout);
    expect(listed).toMatchObject([{ id, life: "live", commandRooted: true, cwd: kaval.home }]);
    const table = (await tui("list")).stdout.split("\n");
    expect(table[0]).toMatch(/^ID +PID +IDLE +CMD +CWD$/);
    expect(table[1]).toContain(id.slice(0, 8));

    const all = (await tui("snapshot", short)).stdout;
    expect(all).toContain("hello\n1\n2\n");
    expect(all).toContain("\n299\n300\n");
    expect((await tui("snapshot", short, "--tail", "2")).stdout.split("\n")[0]).toBe("300");
    expect((await tui("snapshot", short, "--viewport")).stdout).not.toContain("\n250\n");
    const history = (await tui("history", short)).stdout;
    expect(history).toContain("hello\n1\n2\n");
    expect(history).not.toContain("\n299\n");
    expect((await tui("history", short, "--lines", "3")).stdout.split("\n")).toHaveLength(4);

    expect(await tui("kill", short)).toMatchObject({ code: 0, stdout: "" });
    expect((await tui("list")).stdout).toBe("no terminals.\n");
  },
);

test("text of several lines, from a pipe or a file, goes as one paste", SLOW, async () => {
  await using kaval = await startKaval();
  const env = environmentOf(kaval);
  const id = await kaval.sh("stty raw -echo; printf 'ready|'; cat");
  await using viewer = await kaval.attach(id);
  await viewer.untilText("ready|");
  expect((await runTui(env, ["send", id], { stdin: "one\ntwo\n" })).stderr).toContain("pasted");
  await viewer.untilText("\x1b[200~one\ntwo\x1b[201~");
  const file = join(kaval.home, "prompt.md");
  await writeFile(file, "three\nfour");
  await runTui(env, ["send", id, "--file", file]);
  await viewer.untilText("\x1b[200~three\nfour\x1b[201~");
  await runTui(env, ["send", id, "--no-paste", "five\nsix"]);
  await viewer.untilText("five\nsix");
  await runTui(env, ["send", id, "--", "--key"]);
  await viewer.untilText("--key");
});

test(
  "exit codes: 2 for a wait that times out, 3 for a terminal that is gone, 130 for a signal",
  SLOW,
  async () => {
    await using kaval = await startKaval();
    const env = environmentOf(kaval);
    const tui = (...args: string[]): Promise<Ran> => runTui(env, args);
    const id = await kaval.sh("while :; do echo tick; sleep 0.05; done");
    expect((await tui("wait", id, "--until", "idle:60000", "--timeout", "50")).code).toBe(2);

    const dies = await kaval.sh("echo here; read x");
    const waiting = tui("wait", dies, "--until", "match:never", "--json");
    await using observed = await kaval.attach(dies, { from: "last-input" });
    await observed.untilText("here");
    observed.type("\n");
    const gone = await waiting;
    expect(gone.code).toBe(3);
    expect(JSON.parse(gone.stdout)).toMatchObject({ result: "gone" });

    // A match that came before the end is met, and a word in colour is found whole.
    const coloured = await kaval.sh("printf 'tests \\033[32mpass'; printf 'ed\\033[0m\\n'");
    await using ended = await kaval.attach(coloured);
    await ended.untilExit();
    const met = await tui("wait", coloured, "--until", "match:tests passed", "--json");
    expect(JSON.parse(met.stdout)).toMatchObject({ result: "met", matchedLine: "tests passed" });

    const child = spawn(process.execPath, [ENTRY, "wait", id, "--until", "match:never"], { env });
    const code = new Promise((resolve) => child.once("exit", resolve));
    // The wait is on once kaval counts its viewer.
    await expect
      .poll(async () => {
        const { terminals } = await kaval.client.call("terminal.list", {});
        return terminals.find((terminal) => terminal.id === id)!.viewers;
      }, POLL)
      .toBe(1);
    child.kill("SIGINT");
    expect(await code).toBe(130);
  },
);

test(
  "a mistake is said in a sentence on stderr, nothing goes to stdout, and the code is 1",
  SLOW,
  async () => {
    await using kaval = await startKaval();
    const env = environmentOf(kaval);
    const tui = (...args: string[]): Promise<Ran> => runTui(env, args);
    const id = await kaval.sh("sleep 100");
    const mistakes: [string[], RegExp][] = [
      [["bogus"], /^kaval-tui: bogus is no verb/],
      [["list", "--bogus"], /^kaval-tui: --bogus is no flag/],
      [["kill", "zzzz"], /^kaval-tui: no terminal matching "zzzz"/],
      [["kill", ""], /^kaval-tui: no terminal matching ""/],
      [["send", id, "text", "--key", "Enter"], /^kaval-tui: Send text or keys/],
      [["send", id, "--key", "Foo"], /^kaval-tui: "Foo" is no key/],
      [["send", id, ""], /^kaval-tui: The text is empty/],
      [["wait", id], /^kaval-tui: wait needs --until/],
      [["wait", id, "--until", "match:x*"], /^kaval-tui: match:x\* matches nothing/],
      [["snapshot", id, "--tail", "0"], /^kaval-tui: --tail takes a whole number/],
      [["create", "--", "no-such-program"], /^kaval-tui: Cannot start no-such-program/],
      [["list", "--socket", "/no/such.sock"], /^kaval-tui: No kaval answers/],
      [["list", "--socket", ""], /^kaval-tui: --socket needs a value/],
      [["attach", id], /^kaval-tui: attach needs a terminal/],
    ];
    const check = async ([args, sentence]: (typeof mistakes)[number]): Promise<void> => {
      const ran = await tui(...args);
      expect(ran.stderr).toMatch(sentence);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
    };
    for (let index = 0; index < mistakes.length; index += 4)
      await Promise.all(mistakes.slice(index, index + 4).map(check));
    expect(await tui("--help")).toMatchObject({ code: 0, stderr: "" });
    expect(await tui("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await tui()).toMatchObject({ code: 1, stdout: "" });
  },
);

test("a prefix that several ids have is refused with the list", SLOW, async () => {
  await using kaval = await startKaval();
  const ids = await Promise.all(Array.from({ length: 20 }, () => kaval.sh("sleep 100")));
  const firsts = ids.map((id) => id[0]!);
  const shared = firsts.find((first, index) => firsts.indexOf(first) !== index)!;
  const ran = await runTui(environmentOf(kaval), ["kill", shared]);
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/matches several terminals: .{8} .{8}/),
  });
});

test("a reader that hangs up is a clean end", SLOW, async () => {
  await using kaval = await startKaval();
  const id = await kaval.sh("seq 1 9000");
  await using viewer = await kaval.attach(id);
  await viewer.untilExit();
  const script = `'${process.execPath}' '${ENTRY}' history ${id} | head -1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await new Promise<Ran>((resolve) => {
    const child = spawn("/bin/bash", ["-c", script], { env: environmentOf(kaval) });
    const ran: Ran = { code: 0, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      ran.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      ran.stderr += text;
    });
    child.once("close", () => resolve(ran));
  });
  expect(stdout).toBe("1\n0\n");
  expect(stderr).not.toMatch(/EPIPE/);
});

test("create starts a kaval where none runs, the other verbs say that none does", SLOW, async () => {
  const root = await mkdtemp("/tmp/kt-");
  const env = { PATH: process.env.PATH ?? "", HOME: root, XDG_RUNTIME_DIR: root, TERM: "xterm" };
  const stateRoot = join(root, "state");
  const none = await runTui(env, ["list", "--state-root", stateRoot]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/No kaval answers.*create/) });
  const here = new URL(".", import.meta.url).pathname;
  const ran = await runTui(env, ["create", "--state-root", stateRoot, "--json"], { cwd: here });
  expect(ran.stderr).toMatch(/^kaval-tui: spawned/);
  expect(ran.code).toBe(0);
  const { id } = JSON.parse(ran.stdout);
  const listed = await runTui(env, ["--state-root", stateRoot, "list", "--json"]);
  const rows = JSON.parse(listed.stdout) as { id: string; cwd: string }[];
  expect(rows).toMatchObject([{ id, cwd: here.replace(/\/$/, "") }]);
  const { kavalPid } = placesFor(stateRoot, env);
  const { readHolder } = await import("@kolu/daemon/pid-file.ts");
  const holder = (await readHolder(kavalPid))!;
  process.kill(holder.pid, "SIGTERM");
  await expect.poll(() => readHolder(kavalPid), POLL).toBeNull();
  await rm(root, { recursive: true });
});

/** A terminal with kaval-tui in it. */
function tuiInTerminal(env: Record<string, string>, args: string[]) {
  let text = "";
  const waiters = new Set<() => void>();
  let pty!: Pty;
  const exited = new Promise<number>((resolve) => {
    pty = spawnPty(
      { file: process.execPath, args: [ENTRY, ...args], env, cwd: "/", cols: 71, rows: 19 },
      {
        onOutput(bytes) {
          text += Buffer.from(bytes).toString("latin1");
          for (const wake of waiters) wake();
        },
        onExit: ({ code }) => resolve(code),
        onInputTaken() {},
      },
    );
  });
  return {
    pty,
    exited,
    text: () => text,
    type: (typed: string) => pty.write(Buffer.from(typed)),
    async until(wanted: string | RegExp) {
      while (typeof wanted === "string" ? !text.includes(wanted) : !wanted.test(text))
        await new Promise<void>((resolve) => waiters.add(resolve));
    },
  };
}

test(
  "attach shows the terminal at this one's size, follows it, and leaves everything as it was",
  SLOW,
  async () => {
    await using kaval = await startKaval();
    const id = await kaval.sh(
      "stty -echo; trap 'echo size $(stty size)' WINCH; printf '\\033[?1049h\\033[?1003h\\033[?2004h\\033[?25l\\033[c'; echo begun; " +
        'while :; do read -r line && echo "got $line"; done',
    );
    const tui = tuiInTerminal(environmentOf(kaval), ["attach", id]);
    await tui.until("begun");
    tui.type("hello\r");
    await tui.until("got hello");
    tui.pty.resize(90, 30);
    await tui.until("size 30 90");
    tui.type("~?");
    await tui.until("detach; the terminal goes on");
    // The query was answered by kaval; here it must not be asked again.
    expect(tui.text()).not.toContain("\x1b[c");
    tui.type("\r~.");
    expect(await tui.exited).toBe(0);
    const left = tui.text().slice(tui.text().lastIndexOf("\x1b[?1049l"));
    for (const reset of [
      "\x1b[?1003l",
      "\x1b[?1004l",
      "\x1b[?2004l",
      "\x1b[?1l",
      "\x1b[?7h",
      "\x1b[0m",
      "\x1b[?25h",
    ])
      expect(left).toContain(reset);
    expect(left).toContain("detached from");
    const { terminals } = await kaval.client.call("terminal.list", {});
    expect(terminals).toMatchObject([{ id, life: "live" }]);
  },
);

test(
  "attach ends with the program's own code, and with 3 when somebody kills the terminal",
  SLOW,
  async () => {
    await using kaval = await startKaval();
    const env = environmentOf(kaval);
    const ends = await kaval.sh("echo ready; read x; exit 42");
    const first = tuiInTerminal(env, ["attach", ends]);
    await first.until("ready");
    first.type("\r");
    expect(await first.exited).toBe(42);

    const killed = await kaval.sh("echo ready; trap '' HUP; sleep 100");
    const second = tuiInTerminal(env, ["attach", killed, "--escape", "none"]);
    await second.until("ready");
    await kaval.client.call("terminal.kill", { id: killed });
    // Either its program's end or its removal is heard first.
    expect([3, 129, 130, 143]).toContain(await second.exited);
  },
);
