// The shell face end to end: every verb through the real command against real daemons and real shells.
import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Kolu, startKolu } from "./start-kolu.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NEVER_WAS = "01234567-0000-4000-8000-000000000000";

let kolu: Kolu;
beforeAll(async () => {
  kolu = await startKolu();
});
afterAll(() => kolu[Symbol.asyncDispose]());

async function records(): Promise<TerminalRecord[]> {
  return JSON.parse(await kolu.ok(["ls", "--json"])) as TerminalRecord[];
}

/** Runs a command line at the terminal's prompt and waits for a line that it prints. */
async function type(id: string, line: string, expected: string): Promise<void> {
  const sent = JSON.parse(await kolu.ok(["send", id, "--json", "--", line])) as { cursor: string };
  await kolu.ok(["send", id, "--key", "Enter"]);
  await kolu.ok(["wait", id, "--until", `match:${expected}`, "--after", sent.cursor, "--timeout", "20000"]);
}

/** A pipeline of a shell with `kolu` in it; resolves with what it printed. */
async function inShell(script: string): Promise<string> {
  const entry = join(import.meta.dirname, "..", "packages", "cli", "bin", "kolu.js");
  const prelude = `kolu() { '${process.execPath}' '${entry}' "$@"; }\n`;
  const { stdout } = await promisify(execFile)("/bin/bash", ["-c", prelude + script], { env: kolu.env });
  return stdout;
}

describe("create", () => {
  test("prints the id alone, and ls knows the terminal by its intent, directory and parent", async () => {
    const cwd = join(kolu.home, "project");
    await mkdir(cwd, { recursive: true });
    const created = await kolu.run(["create", "--toplevel", "--intent", "🔧 parser", "--cwd", "project"]);
    expect(created).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^kolu: created [0-9a-f]{8} · top-level\n$/),
    });
    const id = created.stdout.trim();
    expect(id).toMatch(ID);
    const child = await kolu.ok(["create", "--parent", id.slice(0, 8).toUpperCase()]);
    const listed = await records();
    expect(listed.find((record) => record.id === id)).toMatchObject({
      intent: "🔧 parser",
      cwd,
      parentId: null,
    });
    expect(listed.find((record) => record.id === child)).toMatchObject({ parentId: id, cwd: kolu.home });
    const table = await kolu.ok(["ls"]);
    expect(table).toMatch(/^ID +STATE +REPO·BRANCH +PR +AGENT +FOREGROUND +INTENT\n/);
    expect(table).toMatch(new RegExp(`^${id.slice(0, 8)}  active .* 🔧 parser$`, "m"));
  });

  test("types the words behind -- at the prompt, quoted as they were", async () => {
    const json = await kolu.ok([
      "create",
      "--toplevel",
      "--json",
      "--",
      "printf",
      "<%s>\\n",
      "it's",
      "$HOME",
      "",
    ]);
    const { id, ran } = JSON.parse(json) as { id: string; ran: string };
    expect(ran).toBe(`printf '<%s>'\\\\'n' 'it'\\''s' '$HOME' ''`.replace("'it'\\''s'", "'it'\\''s'"));
    await kolu.ok(["wait", id, "--until", "match:^<>", "--timeout", "20000"]);
    const screen = await kolu.ok(["snapshot", id, "--tail", "20"]);
    expect(screen).toContain("<it's>\n<$HOME>\n<>");
  });

  test("cuts a worktree and opens the terminal in it", async () => {
    const repo = join(kolu.home, "repo");
    const git = (...args: string[]) => promisify(execFile)("git", ["-C", repo, ...args], { env: kolu.env });
    await mkdir(repo);
    await git("init", "-q", "-b", "main");
    await git(
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.com",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "first",
    );
    const ran = await kolu.run(["create", "--toplevel", "--json", "--repo", "repo", "--worktree", "fix"]);
    // A repository without a remote is cut from its own branch, and that is said.
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("no origin") });
    const created = JSON.parse(ran.stdout) as { id: string; worktree: { path: string; branch: string } };
    expect(created.worktree).toMatchObject({ path: join(repo, ".worktrees", "fix"), branch: "fix" });
    const record = (await records()).find(({ id }) => id === created.id);
    expect(record).toMatchObject({ cwd: created.worktree.path, git: { name: "repo", branch: "fix" } });
    const again = await kolu.run(["create", "--toplevel", "--repo", "repo", "--worktree", "fix"]);
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("fix") });
  });

  test("what cannot be leaves nothing", async () => {
    const before = await records();
    const refused: [args: string[], words: RegExp][] = [
      [[], /exactly one of --toplevel .* and --parent/],
      [["--toplevel", "--parent", "x"], /exactly one/],
      [["--parent", NEVER_WAS], /01234567/],
      [["--parent", "zzzz"], /no terminal matching "zzzz"/],
      [["--toplevel", "--cwd", "/nowhere/at/all"], /\/nowhere\/at\/all/],
      [["--toplevel", "--cwd", ""], /--cwd is blank/],
      [["--toplevel", "--intent", "  "], /--intent is blank/],
      [["--toplevel", "--repo", "."], /--worktree/],
      [["--toplevel", "--worktree", "bad name"], /bad name/],
      [["--toplevel", "--cwd", ".", "--worktree", "w"], /--cwd and --worktree/],
      [["--toplevel", "claude"], /A command goes after --/],
      [["--toplevel", "--"], /Nothing follows --/],
    ];
    for (const [args, words] of refused)
      expect(await kolu.run(["create", ...args]), args.join(" ")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(words),
      });
    expect((await records()).map((record) => record.id)).toEqual(before.map((record) => record.id));
  });
});

describe("send, snapshot and history", () => {
  let id: string;
  beforeAll(async () => {
    id = await kolu.ok(["create", "--toplevel"]);
  });

  test("text, then Enter as a call of its own", async () => {
    const sent = await kolu.run(["send", id.slice(0, 9), "echo", "one", "two"]);
    expect(sent).toMatchObject({ code: 0, stdout: "", stderr: `kolu: sent 12 bytes to ${id.slice(0, 8)}\n` });
    const entered = await kolu.run(["send", id, "--key", "enter", "--json"]);
    expect(JSON.parse(entered.stdout)).toMatchObject({ id, bytes: 1, paste: false, keys: ["enter"] });
    await kolu.ok(["wait", id, "--until", "match:^one two", "--timeout", "20000"]);
  });

  test("a pipe and a file go in as one paste", async () => {
    await writeFile(join(kolu.home, "brief.txt"), "cat <<END | wc -c\n語 a\nEND\n");
    await type(id, "cat > got.txt", "cat > got.txt");
    const piped = await kolu.run(["send", id, "--json", "--no-paste"], { stdin: "first line\n" });
    expect(JSON.parse(piped.stdout)).toMatchObject({ bytes: 10, paste: false });
    await kolu.ok(["send", id, "--key", "Enter", "--key", "C-d"]);
    await type(id, "cat got.txt", "^first line");
    const pasted = await kolu.run(["send", id, "--json", "--file", "brief.txt"]);
    expect(JSON.parse(pasted.stdout)).toMatchObject({ bytes: 27 + 12, paste: true });
    await kolu.ok(["send", id, "--key", "Enter"]);
    await kolu.ok(["wait", id, "--until", "match:^6", "--timeout", "20000"]);
  });

  test("what cannot be sent is refused, and presses no key", async () => {
    const refused: [args: string[], words: RegExp][] = [
      [[id], /Nothing to send/],
      [[id, ""], /text is empty/],
      [[id, "x", "--key", "Enter"], /text or keys, not both/],
      [[id, "--key", "Enter", "--key", "Foo"], /"Foo" is no key/],
      [[id, "--key", "constructor"], /is no key/],
      [[id, "--file", "nowhere.txt"], /nowhere\.txt cannot be read/],
      [[id, "x", "--paste", "--no-paste"], /exclude each other/],
      [[NEVER_WAS, "x"], /No terminal has the id/],
      [["zzzz", "x"], /no terminal matching "zzzz"/],
      [["", "x"], /blank/],
      [[id, "-x"], /Unknown flag -x.*after --/],
    ];
    for (const [args, words] of refused)
      expect(await kolu.run(["send", ...args]), args.join(" ")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(words),
      });
  });

  test("history is what stands above the screen, whole and in order", async () => {
    await type(id, "clear; seq 1 3000; echo end-of-seq", "^end-of-seq");
    const screen = await kolu.run(["snapshot", id, "--tail", "3"]);
    expect(screen.stdout.split("\n").slice(0, 2)).toEqual(["3000", "end-of-seq"]);
    expect(screen.stderr).toBe(`kolu: ${id.slice(0, 8)} · 3 lines\n`);
    const all = (await kolu.ok(["history", id])).split("\n");
    const numbers = all.filter((line) => /^\d+$/.test(line)).map(Number);
    expect(numbers.length).toBeGreaterThan(2_900);
    const first = numbers.indexOf(1);
    expect(numbers.slice(first)).toEqual(numbers.slice(first).map((_, index) => index + 1));
    const newest = (await kolu.ok(["history", id, "--lines", "5"])).split("\n");
    expect(newest).toEqual(all.slice(-5));
    const whole = await kolu.ok(["snapshot", id]);
    for (const n of [1, 1500, 3000]) expect(whole).toMatch(new RegExp(`^${n}$`, "m"));
  });

  test("a reader that leaves is a clean end", async () => {
    const script = (verb: string) =>
      `kolu ${verb} 2>/dev/null | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    for (const verb of [`snapshot ${id}`, `history ${id}`, "ls --json", `send ${id} --json -- ''x`])
      expect(await inShell(script(verb)), verb).toBe("0\n");
  });
});

describe("wait", () => {
  let id: string;
  beforeAll(async () => {
    id = await kolu.ok(["create", "--toplevel", "--", "echo", "ready"]);
    await kolu.ok(["wait", id, "--until", "match:^ready", "--timeout", "20000"]);
  });

  test("is met by silence, and prints the screen that it saw", async () => {
    const met = await kolu.run(["wait", id, "--until", "idle:300", "--timeout", "20000", "--snapshot", "5"]);
    expect(met).toMatchObject({ code: 0, stderr: expect.stringMatching(/ · quiet after /) });
    expect(met.stdout).toContain("ready");
    const json = await kolu.ok(["wait", id, "--until", "idle:100", "--timeout", "20000", "--json"]);
    expect(JSON.parse(json)).toEqual({ id, result: "met", fired: "idle", elapsedMs: expect.any(Number) });
  });

  test("times out with 2", async () => {
    const late = await kolu.run(["wait", id, "--until", "match:never-printed", "--timeout", "150", "--json"]);
    expect(late.code).toBe(2);
    expect(JSON.parse(late.stdout)).toMatchObject({ id, result: "timeout" });
    expect(await kolu.run(["wait", id, "--until", "working", "--timeout", "100"])).toMatchObject({
      code: 2,
      stdout: "",
    });
    expect(await kolu.run(["debrief", id, "--timeout", "100"])).toMatchObject({ code: 2, stdout: "" });
  });

  test("ends with 3 when the terminal dies under it, and when it is gone already", async () => {
    const doomed = await kolu.ok(["create", "--toplevel"]);
    const waiting = kolu.start(["wait", doomed, "--until", "match:never-printed", "--json"]);
    await kolu.whenListenedTo(doomed);
    await kolu.ok(["kill", doomed]);
    const ended = await waiting.ended;
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: doomed, result: "gone" });
    expect(await kolu.run(["wait", doomed, "--until", "idle:100"])).toMatchObject({ code: 3 });
    expect(await kolu.run(["wait", NEVER_WAS, "--until", "idle:100"])).toMatchObject({ code: 1 });
  });

  test("ends with 130 at SIGINT and at SIGTERM, saying nothing", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const quiet = await kolu.ok(["create", "--toplevel"]);
      const waiting = kolu.start(["wait", quiet, "--until", "match:never-printed"]);
      await kolu.whenListenedTo(quiet);
      waiting.kill(signal);
      expect(await waiting.ended).toEqual({ code: 130, signal: null, stdout: "", stderr: "" });
    }
  });

  test("a cursor makes it blind to what came before", async () => {
    const sent = JSON.parse(await kolu.ok(["send", id, "--json", "--", "echo again"])) as { cursor: string };
    const stale = await kolu.run([
      "wait",
      id,
      "--until",
      "match:^ready",
      "--after",
      sent.cursor,
      "--timeout",
      "200",
    ]);
    expect(stale.code).toBe(2);
    await kolu.ok(["send", id, "--key", "Enter"]);
    await kolu.ok(["wait", id, "--until", "match:^again", "--after", sent.cursor, "--timeout", "20000"]);
  });

  test("what it cannot wait for is refused", async () => {
    for (const until of ["idle:0", "idle:1s", "match:(", "match:.*", "thinking", "working,nope"])
      expect(await kolu.run(["wait", id, "--until", until])).toMatchObject({ code: 1, stdout: "" });
    expect(await kolu.run(["wait", id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--until"),
    });
    expect(await kolu.run(["wait", id, "--until", "idle:5", "--after", "nonsense"])).toMatchObject({
      code: 1,
    });
    expect(await kolu.run(["wait", id, "--until", "idle:5", "--timeout", "2s"])).toMatchObject({ code: 1 });
  });
});

describe("kill, watch and explain", () => {
  test("kill ends the shell, says so on stderr, and fails for what is not there", async () => {
    const id = await kolu.ok(["create", "--toplevel"]);
    const pid = (await records()).find((record) => record.id === id)?.pid;
    expect(await kolu.run(["kill", id])).toEqual({
      code: 0,
      signal: null,
      stdout: "",
      stderr: `kolu: killed ${id.slice(0, 8)} (pid ${pid})\n`,
    });
    expect((await records()).some((record) => record.id === id)).toBe(false);
    expect(await kolu.run(["kill", NEVER_WAS])).toMatchObject({ code: 1 });
    expect(await kolu.run(["kill", id])).toMatchObject({ code: 3 });
    expect(await kolu.run(["kill"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Missing: <id>"),
    });
  });

  test("watch tells a terminal's birth, work and end", async () => {
    const watching = kolu.start(["watch", "--json"]);
    const id = await kolu.ok(["create", "--toplevel", "--intent", "watched"]);
    await watching.whenPrinted(new RegExp(`"kind":"terminal".*"id":"${id}"`));
    await kolu.ok(["kill", id]);
    await watching.whenPrinted(new RegExp(`"kind":"removed","id":"${id}"`));
    watching.kill("SIGINT");
    const { code, stdout } = await watching.ended;
    expect(code).toBe(130);
    for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("kind");
  });

  test("watch of one terminal ends with 3 when it is gone", async () => {
    const id = await kolu.ok(["create", "--toplevel"]);
    const watching = kolu.start(["watch", id.slice(0, 12)]);
    await watching.whenPrinted(new RegExp(`  ${id.slice(0, 8)}  active`));
    await kolu.ok(["kill", id]);
    const ended = await watching.ended;
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/\(gone\)\n$/) });
  });

  test("explain says that a plain shell is no agent", async () => {
    const id = await kolu.ok(["create", "--toplevel"]);
    expect(await kolu.ok(["explain", id])).toContain("no agent recognised");
    expect(JSON.parse(await kolu.ok(["explain", id, "--json"]))).toMatchObject({ id, kind: null });
  });
});

describe("which kolu", () => {
  test("endpoint flags stand on either side of the verb, and variables stand in for them", async () => {
    const { padiSocket, stateRoot } = kolu.places;
    const nothing = { KOLU_STATE_ROOT: undefined, PADI_SOCKET: undefined };
    const expected = await kolu.ok(["ls", "--json"]).then((text) => (JSON.parse(text) as unknown[]).length);
    const ways: [args: string[], env: Record<string, string | undefined>][] = [
      [["--socket", padiSocket, "ls", "--json"], nothing],
      [["ls", "--json", `--socket=${padiSocket}`], nothing],
      [["--state-root", stateRoot, "ls", "--json"], nothing],
      [["ls", "--state-root", stateRoot, "--json"], nothing],
      [["ls", "--json"], { ...nothing, PADI_SOCKET: padiSocket }],
      [["ls", "--json"], { KOLU_STATE_ROOT: stateRoot, PADI_SOCKET: "/nowhere" }],
      [["ls", "--json", "--socket", padiSocket], { KOLU_STATE_ROOT: "/nowhere" }],
    ];
    for (const [args, env] of ways)
      expect(JSON.parse(await kolu.ok(args, { env })), args.join(" ")).toHaveLength(expected);
  });

  test("two endpoints, a blank one and what is no host are refused", async () => {
    const refused: [args: string[], words: RegExp][] = [
      [["--socket", "/s", "ls", "--state-root", "/r"], /--socket and --state-root exclude/],
      [["ls", "--socket", ""], /--socket is blank/],
      [["--state-root=", "ls"], /--state-root is blank/],
      [["--host", "box", "ls", "--socket", "/s"], /--socket and --host exclude/],
      [["--host=-oProxyCommand=x", "ls"], /is no host/],
      [["ls", "--socket", "/nowhere/padi.sock"], /No padi answers at \/nowhere\/padi\.sock \(--socket\)/],
      [["web", "--socket", "/s"], /web takes no --socket/],
    ];
    for (const [args, words] of refused)
      expect(await kolu.run(args), args.join(" ")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(words),
      });
  });

  test("a terminal finds its own kolu, and exactly the three commands", async () => {
    const id = await kolu.ok(["create", "--toplevel", "--intent", "inner"]);
    await type(id, "command -v kolu kaval-tui padi-tui", "bin/padi-tui");
    expect(await kolu.ok(["snapshot", id, "--tail", "20"])).toContain(join(kolu.places.launchers, "kolu"));
    expect((await readdir(kolu.places.launchers)).sort()).toEqual(["kaval-tui", "kolu", "padi-tui"]);
    await type(
      id,
      "PATH=/usr/bin:/bin; hash -r; node --version; $KOLU_TERMINAL_TOOLS_PATH/kolu ls | grep inner",
      "inner$",
    );
  });
});

describe("the words themselves", () => {
  const cases: [args: string[], code: number, stdout: RegExp, stderr: RegExp][] = [
    [[], 1, /^$/, /Usage: kolu <verb>/],
    [["--help"], 0, /Usage: kolu <verb>/, /^$/],
    [["-h"], 0, /Usage: kolu <verb>/, /^$/],
    [["send", "--help"], 0, /Usage: kolu send <id> \[text\.\.\.\]/, /^$/],
    [["--version"], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [["-v"], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [["sned"], 1, /^$/, /Unknown verb "sned"\. Did you mean: kolu send/],
    [["ls", "--jsno"], 1, /^$/, /Unknown flag --jsno\. Did you mean --json/],
    [["--json", "ls"], 1, /^$/, /--json stands before the verb/],
    [["watch", "--held-for", "soon"], 1, /^$/, /--held-for takes a time such as 500ms, 60s/],
    [["toString"], 1, /^$/, /Unknown verb/],
  ];
  for (const [args, code, stdout, stderr] of cases)
    test(`kolu ${args.join(" ")} ends with ${code}`, async () => {
      const ran = await kolu.run(args);
      expect(ran.code).toBe(code);
      expect(ran.stdout).toMatch(stdout);
      expect(ran.stderr).toMatch(stderr);
    });
});
