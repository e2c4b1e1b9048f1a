// What each verb prints and how it ends, against a padi that says what the test wants; the real one is in e2e.
import { writeFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { refuse } from "@kolu/contract/refusals.ts";
import { verbs } from "@kolu/contract/verbs.ts";
import { expect, test } from "vitest";
import { startTestPadi, testRecord } from "./test-padi.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000001";
const B = "aaaabbbb-0000-4000-8000-000000000002";
const C = "cccccccc-0000-4000-8000-000000000003";
const listing = { "terminals.list": () => ({ terminals: [testRecord(C), testRecord(A), testRecord(B)] }) };

const reading = {
  kind: "claude-code",
  state: "awaiting" as const,
  bucket: "awaiting" as const,
  sinceMs: 0,
  source: "status-file" as const,
  awaiting: { kind: "permission", message: null },
  unknownReason: null,
  error: null,
  pid: 1,
  sessionId: null,
  sessionPath: null,
  version: null,
  model: null,
  contextTokens: null,
  title: null,
  todos: null,
  background: { workflows: [], agents: [], shells: 0 },
  startedAtMs: null,
  prompted: true,
};

test("ls is sorted by id, aligned, and a title cannot act on the terminal", async () => {
  const git = {
    root: "/r",
    name: "kolu",
    mainRoot: "/r",
    branch: "main\x1b[31m",
    head: "abc1234",
    isWorktree: false,
    upstream: null,
    ahead: null,
    behind: null,
    dirty: null,
  };
  await using padi = await startTestPadi({
    "terminals.list": () => ({
      terminals: [
        testRecord(C, { life: "exited", exit: { code: 2, signal: 0 }, foreground: null }),
        testRecord(A, {
          git,
          agent: reading,
          pr: {
            number: 42,
            title: "Mend the parser",
            url: "https://github.com/o/kolu/pull/42",
            state: "open",
            isDraft: false,
            checks: "pass",
            checkRuns: [],
          },
          intent: "fix the parser, and then everything that depends on it",
        }),
      ],
    }),
  });
  expect(await padi.run(["ls"])).toEqual({
    code: 0,
    stdout: [
      "ID        STATE     REPO·BRANCH     PR          AGENT                           FOREGROUND  INTENT",
      "aaaaaaaa  active    kolu·main␛[31m  #42 open ✓  claude · awaiting (permission)  bash        fix the parser, and then everything that depends on it",
      "cccccccc  exited 2  —               —           —                               —           —",
      "",
    ].join("\n"),
    stderr: "",
  });
  const narrow = await padi.run(["ls"], { widthCols: 80 });
  for (const line of narrow.stdout.split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
  const json = JSON.parse((await padi.run(["ls", "--json"])).stdout) as { id: string }[];
  expect(json.map((record) => record.id)).toEqual([A, C]);
});

test("colour is for a terminal alone, and changes no width", async () => {
  await using padi = await startTestPadi({
    "terminals.list": () => ({ terminals: [testRecord(A, { agent: reading }), testRecord(B)] }),
  });
  const plain = await padi.run(["ls"]);
  const coloured = await padi.run(["ls"], { colour: true });
  expect(plain.stdout).not.toContain("\x1b");
  expect(coloured.stdout).toContain("\x1b[95mclaude · awaiting (permission)\x1b[39m");
  expect(stripVTControlCharacters(coloured.stdout)).toBe(plain.stdout);
});

test("ls without terminals says so", async () => {
  await using padi = await startTestPadi({ "terminals.list": () => ({ terminals: [] }) });
  expect(await padi.run(["ls"])).toMatchObject({ code: 0, stdout: "no terminals.\n" });
  expect(await padi.run(["ls", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
});

test("an id may be any unique beginning in any case; others are refused with what matched", async () => {
  const killed: string[] = [];
  await using padi = await startTestPadi({
    ...listing,
    "terminal.kill": ({ id }) => {
      killed.push(id);
      return { id, pid: 42, survivors: [] };
    },
  });
  expect(await padi.run(["kill", "CCC"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "kolu: killed cccccccc (pid 42)\n",
  });
  expect(await padi.run(["kill", A.toUpperCase()])).toMatchObject({ code: 0 });
  expect(killed).toEqual([C, A]);
  expect(await padi.run(["kill", "aaaa"])).toEqual({
    code: 1,
    stdout: "",
    stderr: 'kolu: "aaaa" matches 2 terminals: aaaaaaaa, aaaabbbb\n',
  });
  expect(await padi.run(["kill", "ffff"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no terminal matching "ffff"'),
  });
});

test("what a kill leaves alive is named and fails", async () => {
  await using padi = await startTestPadi({
    ...listing,
    "terminal.kill": ({ id }) => ({ id, pid: 42, survivors: [7, 8] }),
  });
  expect(await padi.run(["kill", "c"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("did not end: 7, 8"),
  });
});

test("a create that stopped half-way prints what exists, as data and as words", async () => {
  await using padi = await startTestPadi({
    "terminal.create": () => {
      throw refuse(
        "stopped-partway",
        { landed: { id: A, worktree: { path: "/r/.worktrees/w", branch: "w" } }, notTyped: "claude" },
        "The terminal stands, but claude was not typed.",
      );
    },
  });
  const plain = await padi.run(["create", "--toplevel", "--worktree", "w", "--", "claude"]);
  expect(plain).toMatchObject({ code: 1, stdout: `${A}\n` });
  expect(plain.stderr).toContain("git worktree remove /r/.worktrees/w");
  expect(plain.stderr).toContain("kolu kill aaaaaaaa");
  expect(plain.stderr).toContain("was not typed");
  const json = await padi.run(["create", "--toplevel", "--json", "--worktree", "w", "--", "claude"]);
  expect(JSON.parse(json.stdout)).toEqual({ id: A, worktree: { path: "/r/.worktrees/w", branch: "w" } });
});

test("a created terminal is one line on stdout; where it stands goes to stderr", async () => {
  const params: unknown[] = [];
  await using padi = await startTestPadi({
    ...listing,
    "terminal.create": (given) => {
      params.push(given);
      return { id: B, pid: 9, ...(given.run === undefined ? {} : { ran: given.run }) };
    },
  });
  expect(await padi.run(["create", "--parent", "cc", "--", "claude", "fix it"])).toEqual({
    code: 0,
    stdout: `${B}\n`,
    stderr: "kolu: created aaaabbbb · split of cccccccc · running claude 'fix it'\n",
  });
  expect(params).toEqual([
    { placement: { kind: "child-of", parentId: C }, cwd: "/", run: "claude 'fix it'" },
  ]);
  expect(await padi.run(["create", "--toplevel", "--json"])).toMatchObject({
    code: 0,
    stdout: `{"id":"${B}"}\n`,
  });
});

test("keys are all known before the first one is pressed", async () => {
  const pressed: unknown[] = [];
  await using padi = await startTestPadi({
    ...listing,
    "terminal.sendInput": ({ key, text, paste }) => {
      pressed.push(key ?? { text, paste });
      if (key !== undefined) return { sent: { key }, cursor: `after ${key}` };
      return { sent: { textBytes: 5, pasted: paste === true }, cursor: "c" };
    },
  });
  expect(await padi.run(["send", "c", "--key", "Up", "--key", "Foo"])).toMatchObject({ code: 1 });
  expect(pressed).toEqual([]);
  expect(await padi.run(["send", "c", "--key", "Up", "--key", "Enter", "--json"])).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ id: C, bytes: 4, paste: false, keys: ["Up", "Enter"], cursor: "after Enter" })}\n`,
    stderr: "kolu: sent 4 bytes to cccccccc · keys: Up, Enter\n",
  });
  expect(await padi.run(["send", "c", "--paste", "--", "-x"])).toMatchObject({
    code: 0,
    stderr: "kolu: sent 5 bytes to cccccccc · pasted\n",
  });
  expect(pressed).toEqual(["Up", "Enter", { text: "-x", paste: true }]);
});

test("a wait ends with one flat object and the code of how it ended", async () => {
  const met = {
    result: "met" as const,
    met: { fired: "match" as const, elapsedMs: 1200, matchedLine: "all green", screen: "$ make\nall green" },
  };
  const frames: Record<string, object> = {
    [A]: met,
    [B]: { result: "timeout" as const, elapsedMs: 50 },
    [C]: { result: "gone" as const, elapsedMs: 3 },
  };
  await using padi = await startTestPadi({
    ...listing,
    "terminal.wait": ({ id }) => ({ id, ...frames[id] }) as never,
  });
  const wait = (id: string, ...more: string[]) => padi.run(["wait", id, "--until", "match:green", ...more]);
  expect(await wait(A, "--snapshot", "2")).toEqual({
    code: 0,
    stdout: "$ make\nall green\n",
    stderr: 'kolu: aaaaaaaa · matched "all green" after 1.2 s\n',
  });
  expect(JSON.parse((await wait(A, "--json")).stdout)).toEqual({
    id: A,
    result: "met",
    fired: "match",
    elapsedMs: 1200,
    matchedLine: "all green",
    screen: "$ make\nall green",
  });
  expect(await wait(B, "--json")).toMatchObject({
    code: 2,
    stdout: `{"id":"${B}","result":"timeout","elapsedMs":50}\n`,
  });
  expect(await wait(C)).toMatchObject({
    code: 3,
    stdout: "",
    stderr: "kolu: cccccccc · the terminal is gone\n",
  });
});

test("a dropped feed is no death: it fails and says to wait again", async () => {
  await using padi = await startTestPadi({
    "terminal.wait": ({ id }) => ({ id, result: "closed", error: "kaval restarted" }),
  });
  const ran = await padi.run(["wait", A, "--until", "waiting"]);
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/kaval restarted.*not seen to die: wait again/),
  });
});

test("debrief asks for the turn's end, silence and the screen at once", async () => {
  const asked: unknown[] = [];
  await using padi = await startTestPadi({
    "terminal.wait": (params) => {
      asked.push(params);
      return {
        id: params.id,
        result: "met",
        met: {
          fired: "agent",
          elapsedMs: 9,
          agent: { ...reading, state: "waiting", bucket: "waiting" },
          screen: "Done.",
        },
      };
    },
  });
  expect(await padi.run(["debrief", A, "--timeout", "5000"])).toEqual({
    code: 0,
    stdout: "Done.\n",
    stderr: "kolu: aaaaaaaa · claude is waiting after 9 ms\n",
  });
  const until = { kind: "agent", buckets: ["awaiting", "waiting"] };
  expect(asked).toMatchObject([{ id: A, until, settledMs: 15_000, screenTail: 40 }]);
});

test("a terminal that is gone is 3, one that never was is 1", async () => {
  await using padi = await startTestPadi({
    "screen.text": ({ id }) => {
      if (id === A) throw refuse("terminal-gone", { id }, `Terminal ${id} is gone.`);
      throw refuse("terminal-not-found", { id }, `No terminal has the id ${id}.`);
    },
  });
  expect(await padi.run(["snapshot", A])).toMatchObject({ code: 3 });
  expect(await padi.run(["snapshot", B])).toMatchObject({ code: 1 });
});

test("history comes in pages and leaves as one, oldest line first", async () => {
  const all = Array.from({ length: 2_500 }, (_, index) => `line ${index}`);
  await using padi = await startTestPadi({
    "screen.history": ({ maxLines, before = all.length }) => {
      const topLine = Math.max(0, before - maxLines);
      return { kind: "page", lines: all.slice(topLine, before), topLine, epoch: 1, exhausted: topLine === 0 };
    },
  });
  const whole = await padi.run(["history", A]);
  expect(whole.stdout.trimEnd().split("\n")).toEqual(all);
  const newest = await padi.run(["history", A, "--lines", "2"]);
  expect(newest.stdout).toBe("line 2498\nline 2499\n");
});

test("a history that moves while it is read is refused whole", async () => {
  let calls = 0;
  await using padi = await startTestPadi({
    "screen.history": ({ maxLines }) => {
      calls += 1;
      if (calls > 1) return { kind: "stale", epoch: 2 };
      return { kind: "page", lines: Array(maxLines).fill("x"), topLine: 5_000, epoch: 1, exhausted: false };
    },
  });
  expect(await padi.run(["history", A])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("resized"),
  });
});

test("a bug of padi's is told as padi's", async () => {
  await using padi = await startTestPadi({
    "screen.text": () => {
      throw new Error("the screen burnt down");
    },
  });
  expect(await padi.run(["snapshot", A])).toMatchObject({
    code: 1,
    stderr: "kolu: padi failed: the screen burnt down\n",
  });
});

test("a padi that is too old or too new is refused with what to do", async () => {
  await using old = await startTestPadi({}, { protocol: "0.9", buildId: "0.0.1" });
  expect(await old.run(["ls"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/padi 0\.0\.1 speaks 0\.9.*kolu create/),
  });
  await using future = await startTestPadi({}, { protocol: "9.0" });
  expect(await future.run(["create", "--toplevel"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/speaks 9\.0.*update this one/),
  });
});

test("restore of everything is fine with nothing to do; a named one that is not parked is not", async () => {
  await using padi = await startTestPadi({
    ...listing,
    "terminal.restore": () => {
      throw refuse("nothing-to-restore", {}, "No terminal is parked.");
    },
  });
  expect(await padi.run(["restore"])).toEqual({ code: 0, stdout: "", stderr: "kolu: nothing to restore\n" });
  expect(await padi.run(["restore", "c"])).toMatchObject({ code: 1 });
});

test("watch begins with what is there, tells changes once, and ends when its terminal does", async () => {
  const first = testRecord(A, { intent: "one" });
  const second = { ...first, agent: reading };
  await using padi = await startTestPadi({
    ...listing,
    async *"terminals.watch"() {
      yield { kind: "snapshot", boot: "b", revision: 1, rows: [first, testRecord(C)] };
      yield { kind: "delta", revision: 2, upserts: [{ ...first, busy: true }], removals: [] };
      yield {
        kind: "delta",
        revision: 3,
        upserts: [{ ...second, busy: true, lastActivityAtMs: 5 }],
        removals: [],
      };
      yield {
        kind: "delta",
        revision: 4,
        upserts: [{ ...second, title: "only a title", busy: true }],
        removals: [],
      };
      yield { kind: "delta", revision: 5, upserts: [], removals: [A] };
    },
  });
  const lines = await padi.run(["watch", A]);
  expect(lines.code).toBe(3);
  expect(lines.stdout.replaceAll(/^\d\d:\d\d:\d\d/gm, "T").split("\n")).toEqual([
    "T  aaaaaaaa  active  —  —",
    "T  aaaaaaaa  ● busy",
    "T  aaaaaaaa  active  —  claude · awaiting (permission)  ●",
    "T  aaaaaaaa  (gone)",
    "",
  ]);
  const events = (await padi.run(["watch", A, "--json"])).stdout.trimEnd().split("\n");
  expect(
    events
      .map((line) => JSON.parse(line))
      .map(({ kind, id, live, activity }) => ({ kind, id, live, activity })),
  ).toEqual([
    { kind: "terminal", id: A, live: true },
    { kind: "activity", id: A, activity: true },
    { kind: "terminal", id: A, live: true },
    { kind: "terminal", id: A, live: true },
    { kind: "removed", id: A },
  ]);
});

test("explain lists every signal with its verdict and age", async () => {
  await using padi = await startTestPadi({
    "terminal.explain": () => ({
      kind: "claude-code",
      recognition: {
        foregroundPid: 12,
        chain: [
          { pid: 12, name: "claude", startTime: null },
          { pid: 10, name: "bash", startTime: null },
        ],
        matchedBy: "process name",
      },
      signals: [
        {
          source: "status-file",
          value: "busy",
          state: "thinking",
          atMs: Date.now() - 3_000,
          verdict: "won",
          note: null,
        },
        { source: "title", value: "✳ fix\x07", state: null, atMs: null, verdict: "silent", note: null },
      ],
      missing: ["/home/me/.claude/sessions/13.json"],
      malformedRecords: 2,
    }),
  });
  const { stdout, code } = await padi.run(["explain", A]);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "aaaaaaaa  claude",
    "",
    "Recognised by: process name",
    "Foreground: claude (12) ← bash (10)",
    "",
    "VERDICT  SIGNAL       SAYS    MEANS     AGE    NOTE",
    expect.stringMatching(/^won {6}status-file {2}busy {4}thinking {2}3\.\d s$/),
    "silent   title        ✳ fix␇  —         —",
    "",
    "Looked for and not found:",
    "  /home/me/.claude/sessions/13.json",
    "",
    "Records that could not be read: 2",
    "",
  ]);
});

test("a file is sent as one paste, without the newline that ends it", async () => {
  const path = `/tmp/kolu-brief-${process.pid}.md`;
  await writeFile(path, "one\ntwo\n");
  const texts: unknown[] = [];
  await using padi = await startTestPadi({
    "terminal.sendInput": ({ text, paste }) => {
      texts.push({ text, paste });
      return { sent: { textBytes: 7, pasted: true }, cursor: "c" };
    },
  });
  expect(await padi.run(["send", A, "--file", path])).toMatchObject({ code: 0 });
  expect(texts).toEqual([{ text: "one\ntwo", paste: true }]);
  expect(await padi.run(["send", A, "--file", "/nowhere"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("/nowhere cannot be read"),
  });
});

test("surface lists the tools, and their schemas for a script", async () => {
  await using padi = await startTestPadi({});
  const listed = await padi.run(["surface"]);
  expect(listed.stdout).toMatch(/^TOOL +WHAT IT DOES\nlifecycle_create +Open a terminal\n/);
  const described = JSON.parse((await padi.run(["surface", "--schemas"])).stdout) as { name: string }[];
  expect(described.map((tool) => tool.name)).toEqual(verbs.map((verb) => verb.name));
  expect(described[0]).toMatchObject({
    inputSchema: { required: ["placement"] },
    annotations: { readOnly: false },
  });
});

test("surface calls a tool with its fields as flags, or with the whole input", async () => {
  const asked: unknown[] = [];
  await using padi = await startTestPadi({
    ...listing,
    "screen.text": ({ id, extent }) => {
      asked.push({ id, extent });
      return { text: "$ make", cursor: "c" };
    },
    "terminal.wait": (params) => {
      asked.push(params);
      return { id: params.id, result: "timeout", elapsedMs: 5 };
    },
    "terminal.create": (params) => {
      asked.push(params);
      return { id: A, pid: 3 };
    },
  });
  const screen = await padi.run(["surface", "screen_text", "--id", "ccc", "--tail", "5"]);
  expect(screen).toEqual({ code: 0, stdout: '{"value":"$ make"}\n', stderr: "" });
  const wait = await padi.run([
    "surface",
    "wait_agentState",
    "--id",
    C,
    "--until",
    "awaiting, waiting",
    "--timeoutMs=5",
  ]);
  expect(wait).toMatchObject({ code: 2, stdout: `{"id":"${C}","result":"timeout","elapsedMs":5}\n` });
  const input = JSON.stringify({ placement: { kind: "toplevel" }, run: "claude" });
  expect((await padi.run(["surface", "lifecycle_create", "--json", input])).stdout).toBe(
    `{"id":"${A}","pid":3}\n`,
  );
  expect(asked).toEqual([
    { id: C, extent: { kind: "tail", lines: 5 } },
    { id: C, until: { kind: "agent", buckets: ["awaiting", "waiting"] }, timeoutMs: 5 },
    { placement: { kind: "toplevel" }, run: "claude" },
  ]);
});

test("surface prints a refusal as data and as a sentence", async () => {
  await using padi = await startTestPadi({
    "terminal.sendInput": () => {
      throw refuse("text-and-key", {}, "Not both.");
    },
  });
  const both = await padi.run(["surface", "lifecycle_sendInput", "--id", A, "--text", "x", "--key", "Enter"]);
  expect(both).toEqual({ code: 1, stdout: '{"kind":"text-and-key"}\n', stderr: "kolu: Not both.\n" });
  const bare = await padi.run(["surface", "lifecycle_create"]);
  expect(bare).toMatchObject({ code: 1, stderr: expect.stringMatching(/placement.*toplevel.*child-of/) });
  expect(JSON.parse(bare.stdout)).toMatchObject({ kind: "bad-params", issues: [{ path: "placement" }] });
  const refused: [args: string[], words: RegExp][] = [
    [["screen_txt"], /No tool is named "screen_txt". Did you mean screen_text/],
    [["screen_text", "--id", A, "--tail", "many"], /--tail takes JSON/],
    [["screen_text", "--id", A, "--json", "{}"], /--json is the whole input/],
    [["screen_text", "--json", "[]"], /--json takes an object/],
    [["screen_text", "--ids", A], /Unknown flag --ids/],
    [["screen_text", "--schemas"], /Unknown flag --schemas/],
  ];
  for (const [args, words] of refused)
    expect(await padi.run(["surface", ...args]), args.join(" ")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(words),
    });
});
