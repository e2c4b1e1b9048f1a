import { readFileSync } from "node:fs";
import type { KavalNotice } from "@kolu/contract/kaval.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import { createScreen } from "@kolu/screen/screen.ts";
import { describe, expect, test } from "vitest";
import type { ScreenFacts } from "../screens.ts";
import { attachTaps, NO_FACTS, type Taps } from "./facts.ts";
import { PROGRAM_RECORDS_MAX } from "./program-status.ts";

const NONCE = "n0nce";

interface Seen {
  facts: ScreenFacts;
  notices: KavalNotice["what"][];
  replies: string;
}

/** What the taps know after this output; each piece comes a second after the one before. */
function read(...pieces: (string | Uint8Array)[]): Seen {
  let nowMs = 0;
  let replies = "";
  const notices: KavalNotice["what"][] = [];
  let taps: Taps | undefined;
  const reply = (text: string): void => {
    replies += text;
  };
  const screen = createScreen({
    cols: 80,
    rows: 24,
    colors: { foreground: "#ffffff", background: "#000000", cursor: "#ffffff" },
    version: "1",
    onReply: reply,
    onFault(error) {
      throw error;
    },
    onTitle: (title) => taps?.title(title),
    onBell: () => taps?.bell(),
    onReset: () => taps?.reset(),
  });
  taps = attachTaps(screen.onOsc, {
    markNonce: NONCE,
    hostname: "box.example.org",
    initial: NO_FACTS,
    now: () => nowMs,
    reply,
    notice: (what) => notices.push(what),
  });
  for (const piece of pieces) {
    nowMs += 1_000;
    screen.write(typeof piece === "string" ? Buffer.from(piece) : piece);
  }
  return { facts: taps.facts(), notices, replies };
}

const mark = (body: string): string => `\x1b]133;${body};kolu=${NONCE}\x07`;
const commandLine = (escaped: string): string => `\x1b]633;E;${escaped};${NONCE}\x07`;
const status = (body: string): string => `\x1b]7501;${body}\x1b\\`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("title", () => {
  const cases: Record<string, [output: string, title: string | null]> = {
    "OSC 2": ["\x1b]2;hello\x07", "hello"],
    "OSC 0": ["\x1b]0;hello\x1b\\", "hello"],
    "an empty one is none": ["\x1b]2;hello\x07\x1b]2;\x07", null],
    "direction controls are dropped": ["\x1b]2;a\u202eb\u2066c\x07", "abc"],
    "a semicolon belongs to it": ["\x1b]2;a;b\x07", "a;b"],
    "an icon name is none": ["\x1b]1;icon\x07", null],
  };
  for (const [title, [output, expected]] of Object.entries(cases))
    test(title, () => expect(read(output).facts.title).toBe(expected));
});

describe("working directory", () => {
  const cases: Record<string, [url: string, cwd: string | null]> = {
    "this host": ["file://box.example.org/home/me", "/home/me"],
    "this host by its short name, in capitals": ["file://BOX/home/me", "/home/me"],
    "no host": ["file:///home/me", "/home/me"],
    localhost: ["file://localhost/", "/"],
    "another host is not ours": ["file://server/home/me", null],
    "percent-decoded": ["file:///a%20b/%E6%BC%A2", "/a b/漢"],
    "a raw percent sign stays": ["file:///100%/x", "/100%/x"],
    "a semicolon": ["file:///a;b", "/a;b"],
    "not a file": ["http://box.example.org/x", null],
    "no absolute path": ["file://box.example.org", null],
    "controls make it void": ["file:///a%0ab", null],
  };
  for (const [title, [url, expected]] of Object.entries(cases))
    test(title, () => expect(read(`\x1b]7;${url}\x07`).facts.cwd).toBe(expected));
});

describe("command marks", () => {
  const running = { running: true, exitStatus: null, endedAtMs: null };
  const cases: Record<string, [pieces: string[], expected: Partial<ScreenFacts>]> = {
    "a prompt is shown between its end and the next command": [
      [mark("A"), mark("B")],
      { promptShown: true, command: null },
    ],
    "a prompt that is being drawn is not shown": [[mark("A")], { promptShown: false }],
    "a command runs": [
      [mark("A"), mark("B"), commandLine("git log") + mark("C")],
      { promptShown: false, command: { line: "git log", startedAtMs: 3_000, ...running } },
    ],
    "and ends with a status": [
      [commandLine("false") + mark("C"), mark("D;1")],
      { command: { line: "false", running: false, exitStatus: 1, startedAtMs: 1_000, endedAtMs: 2_000 } },
    ],
    "an end without a status": [
      [commandLine("x") + mark("C"), mark("D")],
      { command: { line: "x", running: false, exitStatus: null, startedAtMs: 1_000, endedAtMs: 2_000 } },
    ],
    "a hidden command has no line": [[mark("C")], { command: { line: "", startedAtMs: 1_000, ...running } }],
    "a line announced for an earlier prompt is not the next command's": [
      [commandLine("old"), mark("A"), mark("B"), mark("C")],
      { command: { line: "", startedAtMs: 4_000, ...running } },
    ],
    "a prompt ends a command whose end was not said": [
      [mark("C"), mark("A")],
      { command: { line: "", running: false, exitStatus: null, startedAtMs: 1_000, endedAtMs: 2_000 } },
    ],
    "the end before any command is no news": [[mark("D;0")], { command: null, promptShown: null }],
    "escapes are undone": [
      [commandLine("echo 'a\\x3bb' \\\\x \\x0aline 2\\x09t漢") + mark("C")],
      { command: { line: "echo 'a;b' \\x \nline 2 t漢", startedAtMs: 1_000, ...running } },
    ],
    "more fields beside the nonce are fine": [
      [`\x1b]133;C;cl=m;kolu=${NONCE};x=1\x07`],
      { command: { line: "", startedAtMs: 1_000, ...running } },
    ],
    "no nonce, no mark": [["\x1b]133;C\x07\x1b]633;E;rm -rf;\x07"], { command: null, promptShown: null }],
    "a program's own zones (Oh My Pi marks each of its messages) end no command": [
      [commandLine("omp") + mark("C"), "\x1b]133;D;0\x07\x1b]133;A\x07\x1b]133;B\x07\x1b]133;C\x07"],
      { promptShown: false, command: { line: "omp", startedAtMs: 1_000, ...running } },
    ],
    "a wrong nonce, no mark": [
      ["\x1b]133;C;kolu=guess\x07\x1b]133;B;kolu=\x07"],
      { command: null, promptShown: null },
    ],
  };
  for (const [title, [pieces, expected]] of Object.entries(cases))
    test(title, () => expect(read(...pieces).facts).toMatchObject(expected));
});

describe("program status", () => {
  const record = (fields: Partial<ProgramRecord>): ProgramRecord => ({
    id: "",
    app: null,
    state: "working",
    kind: null,
    progress: null,
    message: null,
    title: null,
    updatedAtMs: 1_000,
    ...fields,
  });
  const before = status("state=working:app=make");
  const cases: Record<string, [pieces: string[], records: ProgramRecord[]]> = {
    "a report": [[status("state=idle:app=claude-code")], [record({ state: "idle", app: "claude-code" })]],
    "ended by BEL": [["\x1b]7501;state=done\x07"], [record({ state: "done" })]],
    "text is base64, padded or not": [
      [
        status(
          `state=blocked:kind=permission:msg=${base64("Run ls?")}:title=${base64("Tests").replace(/=+$/, "")}`,
        ),
      ],
      [record({ state: "blocked", kind: "permission", message: "Run ls?", title: "Tests" })],
    ],
    "a new report replaces the whole": [
      [status(`state=blocked:kind=question:msg=${base64("?")}`), status("state=working")],
      [record({ updatedAtMs: 2_000 })],
    ],
    "kind belongs to blocked": [[status("state=working:kind=permission")], [record({})]],
    "unknown keys are ignored": [[status("state=working:colour=red:x")], [record({})]],
    "progress 0 is not indeterminate": [[status("state=working:progress=0")], [record({ progress: 0 })]],
    "children stand beside the root and inherit the app": [
      [
        status("state=idle:app=deploy"),
        status("state=blocked:id=eu/west"),
        status("state=working:id=eu/west/a:app=b"),
      ],
      [
        record({ state: "idle", app: "deploy" }),
        record({ id: "eu/west", state: "blocked", app: "deploy", updatedAtMs: 2_000 }),
        record({ id: "eu/west/a", app: "b", updatedAtMs: 3_000 }),
      ],
    ],
    "clear takes a record and all beneath it": [
      [
        status("state=idle"),
        status("state=working:id=a"),
        status("state=working:id=a/b"),
        status("state=working:id=ab"),
        status("state=clear:id=a"),
      ],
      [record({ state: "idle" }), record({ id: "ab", updatedAtMs: 4_000 })],
    ],
    "clear without an id takes all": [[before, status("state=working:id=a"), status("state=clear")], []],
    "a prompt ends what works or waits, results stay": [
      [
        status("state=working"),
        status("state=blocked:id=a"),
        status("state=done:id=b"),
        status("state=error:id=c"),
        mark("A"),
      ],
      [
        record({ id: "b", state: "done", updatedAtMs: 3_000 }),
        record({ id: "c", state: "error", updatedAtMs: 4_000 }),
      ],
    ],
    "a prompt mark without our nonce ends nothing": [[before, "\x1b]133;A\x07"], [record({ app: "make" })]],
    "a full reset takes all": [[before, "\x1bc"], []],
    "a soft reset and the alternate screen take none": [
      [before, "\x1b[!p\x1b[?1049h\x1b[?1049l"],
      [record({ app: "make" })],
    ],
    "an unknown state is void": [[before, status("state=sleeping:app=x")], [record({ app: "make" })]],
    "no state is void": [[before, status("app=x")], [record({ app: "make" })]],
    "text that is no base64 is void": [[before, status("state=idle:msg=***")], [record({ app: "make" })]],
    "text that is no UTF-8 is void": [[before, status("state=idle:msg=/w==")], [record({ app: "make" })]],
    "text with controls is void": [
      [before, status(`state=idle:msg=${base64("a\x1b[31m")}`)],
      [record({ app: "make" })],
    ],
    "direction controls are dropped": [
      [status(`state=idle:msg=${base64("a\u202eb")}`)],
      [record({ state: "idle", message: "ab" })],
    ],
    "progress beyond 100 is void": [
      [before, status("state=working:progress=101")],
      [record({ app: "make" })],
    ],
    "an id with an empty step is void": [
      [before, status("state=working:id=a//b")],
      [record({ app: "make" })],
    ],
    "4096 bytes are read": [
      [status(`state=idle:x=${"y".repeat(4_096 - 9 - 13)}`)],
      [record({ state: "idle" })],
    ],
    "more are void": [
      [before, status(`state=idle:x=${"y".repeat(4_096 - 9 - 11)}`)],
      [record({ app: "make" })],
    ],
  };
  for (const [title, [pieces, records]] of Object.entries(cases))
    test(title, () => expect(read(...pieces).facts.program).toEqual(records));

  test("of more than 256 records the least recently updated go", () => {
    const reports = Array.from({ length: PROGRAM_RECORDS_MAX + 10 }, (_, index) =>
      status(`state=working:id=${index}`),
    );
    const again = status("state=idle:id=3");
    const ids = read(...reports.slice(0, 256), again, ...reports.slice(256)).facts.program.map(
      (one) => one.id,
    );
    expect(ids.length).toBe(PROGRAM_RECORDS_MAX);
    expect(ids).toContain("3");
    expect(ids).not.toContain("9");
    expect(ids).toContain("11");
  });

  test("the query is answered once, and is no report", () => {
    const seen = read(before, status("?"));
    expect(seen.replies).toBe("\x1b]7501;?\x1b\\");
    expect(seen.facts.program).toEqual([record({ app: "make" })]);
  });

  test("what Claude Code sends is understood", () => {
    const stream = readFileSync(new URL("../../screen/fixtures/streams/claude-osc7501.raw", import.meta.url));
    const states: string[] = [];
    // Every prefix that ends after a report.
    for (let end = stream.indexOf("\x1b]7501;"); end !== -1; end = stream.indexOf("\x1b]7501;", end + 1)) {
      const [root] = read(stream.subarray(0, end + 300)).facts.program;
      states.push(root ? `${root.app} ${root.state} ${root.kind}` : "none");
    }
    expect(new Set(states).has("claude-code idle null")).toBe(true);
    expect(states.some((state) => state.startsWith("claude-code blocked"))).toBe(true);
  });
});

describe("progress", () => {
  const cases: Record<string, [output: string, progress: ScreenFacts["progress"]]> = {
    normal: ["\x1b]9;4;1;42\x07", { state: "normal", value: 42 }],
    error: ["\x1b]9;4;2;90\x07", { state: "error", value: 90 }],
    indeterminate: ["\x1b]9;4;3\x07", { state: "indeterminate", value: null }],
    "indeterminate with a value": ["\x1b]9;4;3;0\x07", { state: "indeterminate", value: null }],
    paused: ["\x1b]9;4;4;10\x07", { state: "paused", value: 10 }],
    ended: ["\x1b]9;4;1;42\x07\x1b]9;4;0;\x07", null],
    "ended by a prompt": [`\x1b]9;4;1;42\x07${mark("A")}`, null],
    "nonsense is void": ["\x1b]9;4;1;42\x07\x1b]9;4;7;3\x07\x1b]9;4;1;x\x07", { state: "normal", value: 42 }],
  };
  for (const [title, [output, expected]] of Object.entries(cases))
    test(title, () => {
      const seen = read(output);
      expect(seen.facts.progress).toEqual(expected);
      expect(seen.notices).toEqual([]);
    });
});

describe("notices", () => {
  const cases: Record<string, [pieces: string[], notices: KavalNotice["what"][]]> = {
    "OSC 9": [["\x1b]9;done; really\x07"], [{ kind: "notification", title: null, body: "done; really" }]],
    "OSC 777": [["\x1b]777;notify;Title;a;b\x07"], [{ kind: "notification", title: "Title", body: "a;b" }]],
    "OSC 777 without a body": [
      ["\x1b]777;notify;Title\x07"],
      [{ kind: "notification", title: null, body: "Title" }],
    ],
    "OSC 777 of another kind": [["\x1b]777;preexec\x07"], []],
    "OSC 99": [["\x1b]99;;Hello\x1b\\"], [{ kind: "notification", title: null, body: "Hello" }]],
    "OSC 99 in parts": [
      [
        "\x1b]99;i=1:d=0;Tit\x1b\\",
        "\x1b]99;i=1:d=0;le\x1b\\",
        `\x1b]99;i=1:p=body:e=1;${base64("line 1\nline 2")}\x1b\\`,
      ],
      [{ kind: "notification", title: "Title", body: "line 1\nline 2" }],
    ],
    "a query of OSC 99 is none": [["\x1b]99;i=1:p=?;\x1b\\"], []],
    "controls and direction are dropped": [
      ["\x1b]9;a\u202eb\x07"],
      [{ kind: "notification", title: null, body: "ab" }],
    ],
    "an empty one is none": [["\x1b]9;\x07\x1b]9; \x07"], []],
    "a bell": [["\x07"], [{ kind: "bell" }]],
    "many bells at once are one": [["\x07".repeat(500)], [{ kind: "bell" }]],
    "bells apart are bells": [
      ["\x07", "\x07"],
      [{ kind: "bell" }, { kind: "bell" }],
    ],
    "the end of an OSC is no bell": [["\x1b]2;x\x07"], []],
    clipboard: [[`\x1b]52;c;${base64("täxt")}\x07`], [{ kind: "clipboard", text: "täxt" }]],
    "clipboard without a selection": [[`\x1b]52;;${base64("x")}\x07`], [{ kind: "clipboard", text: "x" }]],
    "a clipboard read says nothing": [["\x1b]52;c;?\x07"], []],
    "clipboard that is no base64": [["\x1b]52;c;!!\x07"], []],
    "a clipboard of one MiB": [
      [`\x1b]52;c;${base64("x".repeat(1024 * 1024))}\x07`],
      [{ kind: "clipboard", text: "x".repeat(1024 * 1024) }],
    ],
    "more is dropped": [[`\x1b]52;c;${base64("x".repeat(1024 * 1024 + 1))}\x07`], []],
  };
  for (const [title, [pieces, expected]] of Object.entries(cases))
    test(title, () => {
      const seen = read(...pieces);
      expect(seen.notices).toEqual(expected);
      expect(seen.replies).toBe("");
    });
});

test("what is said again is no news", () => {
  let calls = 0;
  const handlers = new Map<number, (payload: string) => void>();
  const taps = attachTaps((code, listener) => void handlers.set(code, listener), {
    markNonce: NONCE,
    hostname: "h",
    initial: NO_FACTS,
    now: () => ++calls,
    reply() {},
    notice() {},
  });
  const say = (): void => {
    taps.title("t");
    handlers.get(7)!("file:///a");
    handlers.get(133)!(`B;kolu=${NONCE}`);
    handlers.get(9)!("4;1;5");
    handlers.get(7501)!("state=clear");
    handlers.get(9)!("4;1;5");
  };
  say();
  const facts = taps.facts();
  say();
  expect(taps.facts()).toBe(facts);
});
