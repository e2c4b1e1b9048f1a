import { Refusal } from "@kolu/contract/refusals.ts";
import { expect, test } from "vitest";
import { parseInvocation } from "./arguments.ts";
import { isOlderBuild } from "./daemons.ts";
import { Exit, Failure, Interrupted, judgeError, UsageError } from "./exit.ts";
import { judgePadi } from "./padi-dial.ts";
import { planSend, readableText } from "./send-input.ts";
import { parseUntil } from "./until.ts";
import { verbs } from "./verb-table.ts";
import { decideParams } from "./verbs/create.ts";
import { decideTls } from "./verbs/web.ts";

test("--until reads silence, text and buckets", () => {
  expect(parseUntil("idle:800")).toEqual({ kind: "idle", idleMs: 800 });
  expect(parseUntil("match:tests? (passed|failed)")).toEqual({
    kind: "match",
    pattern: "tests? (passed|failed)",
  });
  expect(parseUntil("match:a,b")).toEqual({ kind: "match", pattern: "a,b" });
  expect(parseUntil(" Awaiting , waiting,awaiting")).toEqual({
    kind: "agent",
    buckets: ["awaiting", "waiting"],
  });
  for (const bad of [
    "idle:",
    "idle:0",
    "idle:1s",
    "idle:-5",
    "match:",
    "match:(",
    "match:x*",
    "thinking",
    "",
    "working,",
  ])
    expect(() => parseUntil(bad), bad).toThrow(UsageError);
});

const plan = (...words: string[]) => planSend(parseInvocation(verbs.send, ["id", ...words]), false);
test("send takes exactly one source of text, or keys", () => {
  expect(plan("fix", "the", "bug")).toEqual({ kind: "words", text: "fix the bug", paste: undefined });
  expect(plan("--paste", "one")).toEqual({ kind: "words", text: "one", paste: true });
  expect(plan("--no-paste", "one\ntwo")).toEqual({ kind: "words", text: "one\ntwo", paste: false });
  expect(plan("--file", "brief.md")).toEqual({ kind: "file", path: "brief.md", paste: true });
  expect(plan("--file=-", "--no-paste")).toEqual({ kind: "stdin", paste: false });
  expect(plan("--key", "C-c", "--key", "enter")).toEqual({ kind: "keys", keys: ["C-c", "enter"] });
  expect(planSend(parseInvocation(verbs.send, ["id"]), true)).toEqual({ kind: "stdin", paste: true });
  const refusals: [string[], string][] = [
    [["text", "--key", "Enter"], "text-and-key"],
    [["--file", "f", "--key", "Enter"], "text-and-key"],
    [["--key", "Enter", "--key", "Foo"], "key-refused"],
    [["--key", "constructor"], "key-refused"],
    [[""], "text-refused"],
    [[], "no-input"],
  ];
  for (const [words, kind] of refusals) {
    const error = (() => {
      try {
        return plan(...words);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error, words.join(" ")).toMatchObject({ kind });
  }
  expect(() => plan("a", "--file", "f")).toThrow(UsageError);
  expect(() => plan("a", "--paste", "--no-paste")).toThrow(UsageError);
  expect(() => plan("--key", "Enter", "--paste")).toThrow(UsageError);
});

test("the text of a file is UTF-8 and loses only the newline that ends it", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(readableText(bytes("a\n\nb\n"), "f")).toBe("a\n\nb");
  expect(readableText(bytes("語\r\n"), "f")).toBe("語");
  expect(() => readableText(bytes("\n"), "f")).toThrow(Refusal);
  expect(() => readableText(Uint8Array.of(0xe2, 0x94), "f")).toThrow(/not UTF-8/);
});

const create = (...words: string[]) => decideParams(parseInvocation(verbs.create, words), "/home/me/code");
test("create opens where the caller stands, or in a worktree of the repository there", () => {
  expect(create("--toplevel")).toEqual({ cwd: "/home/me/code" });
  expect(create("--toplevel", "--cwd", "../x", "--intent", "fix")).toEqual({
    cwd: "/home/me/x",
    intent: "fix",
  });
  expect(create("--toplevel", "--worktree", "w")).toEqual({ worktree: "w", repo: "/home/me/code" });
  expect(create("--parent", "ab", "--repo", "r", "--worktree", "w", "--", "claude", "it's")).toEqual({
    worktree: "w",
    repo: "/home/me/code/r",
    run: "claude 'it'\\''s'",
  });
  expect(() => create()).toThrow(/exactly one of --toplevel .* and --parent/);
  expect(() => create("--toplevel", "--parent", "ab")).toThrow(/exactly one/);
  expect(() => create("--toplevel", "--repo", "/r")).toThrow(
    expect.objectContaining({ kind: "repo-without-worktree" }),
  );
  expect(() => create("--toplevel", "--cwd", "/r", "--worktree", "w")).toThrow(
    expect.objectContaining({ kind: "cwd-and-worktree" }),
  );
  expect(() => create("--toplevel", "--")).toThrow(/Nothing follows --/);
});

test("over --host no directory of ours is sent: the home there, or a whole path", () => {
  expect(create("--host", "box", "--toplevel")).toEqual({});
  expect(create("--host", "box", "--toplevel", "--cwd", "/srv/app")).toEqual({ cwd: "/srv/app" });
  const cut = create("--host", "box", "--toplevel", "--worktree", "w", "--repo", "/srv/app");
  expect(cut).toEqual({ worktree: "w", repo: "/srv/app" });
  expect(() => create("--host", "box", "--toplevel", "--cwd", "app")).toThrow(/app is a path on box/);
  expect(() => create("--host", "box", "--toplevel", "--worktree", "w")).toThrow(/on box/);
});

test("each way to end has its code", () => {
  const gone = new Refusal("terminal-gone", { id: "x" }, "gone");
  const refused = new Refusal("terminal-not-found", { id: "x" }, "none");
  expect(judgeError(gone).code).toBe(Exit.gone);
  expect(judgeError(refused)).toEqual({ code: Exit.failed, sentence: "none" });
  expect(judgeError(new UsageError("u")).code).toBe(Exit.failed);
  expect(judgeError(new Failure("f")).code).toBe(Exit.failed);
  expect(judgeError(new Interrupted())).toEqual({ code: Exit.interrupted, sentence: null });
  expect(judgeError(new TypeError("bug")).sentence).toMatch(/at .*decisions\.test/);
});

const hello = (protocol: string) => ({
  name: "padi",
  protocol,
  buildId: "0.1.0",
  pid: 1,
  bootId: "b",
  stateRoot: "/r",
  startedAtMs: 0,
});
test("a face talks to a padi of its own major version that is not behind it", () => {
  expect(judgePadi(hello("1.2"), "1.2").kind).toBe("fine");
  expect(judgePadi(hello("1.3"), "1.2").kind).toBe("fine");
  expect(judgePadi(hello("1.1"), "1.2").kind).toBe("too-old");
  expect(judgePadi(hello("0.9"), "1.2").kind).toBe("too-old");
  expect(judgePadi(hello("2.0"), "1.2").kind).toBe("too-new");
});

test("builds are ordered by version, not by text", () => {
  expect(isOlderBuild("0.9.0", "0.10.0")).toBe(true);
  expect(isOlderBuild("0.10.0-checkout", "0.10.0")).toBe(false);
  expect(isOlderBuild("1.0.0", "0.10.0")).toBe(false);
});

test("certificate and key come together", () => {
  expect(decideTls({ "tls-cert": undefined, "tls-key": undefined }, "/")).toBe(null);
  expect(decideTls({ "tls-cert": "c", "tls-key": "/k" }, "/d")).toEqual({ certPath: "/d/c", keyPath: "/k" });
  expect(() => decideTls({ "tls-cert": "c", "tls-key": undefined }, "/")).toThrow(UsageError);
});
