// The script is run by the real sh, on a machine that a directory plays: its own HOME and PATH, and a `id` whose user has no
// runtime directory, so that a kolu that runs here is not found.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { judgeAnswer, parseAnswer, questionScript } from "./question.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "kq-"));
  program("bin/id", "echo 4000000000");
});
afterEach(() => rmSync(base, { recursive: true }));

function program(path: string, body: string): string {
  const whole = join(base, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, `#!/bin/sh\n${body}\n`);
  chmodSync(whole, 0o700);
  return whole;
}

const serving = (socketPath: string) =>
  `kolu-answers ${JSON.stringify({ kind: "serving", socketPath, stateRoot: "/s", buildId: "1.0.0", started: false, later: 1 })}`;

function ask(question = { start: false, stateRoot: null as string | null }) {
  const { stdout } = spawnSync("/bin/sh", ["-s"], {
    input: questionScript(question),
    encoding: "utf8",
    env: {
      HOME: join(base, "home"),
      PATH: `${join(base, "bin")}:/usr/bin:/bin`,
      SHELL: join(base, "login"),
      XDG_RUNTIME_DIR: join(base, "run"),
    },
  });
  return parseAnswer(stdout);
}

test("a machine without kolu says so", () => {
  expect(ask()).toEqual({ kind: "no-kolu" });
});

test("kolu on PATH is asked, and what a login prints around its answer is passed over", () => {
  program("bin/kolu", `echo Welcome; echo '${serving("/path")}'`);
  expect(ask()).toEqual({
    kind: "serving",
    socketPath: "/path",
    stateRoot: "/s",
    buildId: "1.0.0",
    started: false,
  });
});

test("off PATH it is found by the launchers of what runs, and by the user's login shell", () => {
  program("login", `echo Good morning; echo '${join(base, "far")}:/usr/bin'`);
  program("far/kolu", `echo '${serving("/far")}'`);
  expect(ask()).toMatchObject({ socketPath: "/far" });
  program("run/kolu/0123/bin/kolu", `echo '${serving("/launcher")}'`);
  expect(ask()).toMatchObject({ socketPath: "/launcher" });
});

test("one that does not know the question is passed over for one that does; alone, it is named", () => {
  const old = program("bin/kolu", "echo 'kolu: Unknown verb' >&2; exit 1");
  expect(ask()).toEqual({ kind: "too-old", path: old });
  program("home/.local/bin/kolu", `echo '${serving("/new")}'`);
  expect(ask()).toMatchObject({ socketPath: "/new" });
});

test("the words of the question arrive whole", () => {
  program("bin/kolu", `printf '%s|' "$@" > '${join(base, "words")}'; echo '${serving("/x")}'`);
  ask({ start: true, stateRoot: "/it's a; root" });
  const { stdout } = spawnSync("cat", [join(base, "words")], { encoding: "utf8" });
  expect(stdout).toBe("__endpoint|--start|--state-root|/it's a; root|");
});

test("each answer that is no place is a failure of its own", () => {
  const kindOf = (printed: string): unknown => {
    try {
      return judgeAnswer("box", parseAnswer(printed)).kind;
    } catch (error) {
      return (error as { kind: string }).kind;
    }
  };
  expect(kindOf("kolu-answers no-kolu\n")).toBe("host-has-no-kolu");
  expect(kindOf("hi\nkolu-answers too-old /usr/bin/kolu\n")).toBe("host-too-old");
  expect(kindOf('kolu-answers {"kind":"not-running"}\n')).toBe("host-not-running");
  expect(kindOf('kolu-answers {"kind":"failed","sentence":"Several run"}\n')).toBe("host-kolu-failed");
  expect(kindOf("kolu-answers {half")).toBe("host-session-refused");
  expect(kindOf("")).toBe("host-session-refused");
});
