// `kolu export`: which file it writes, and which it does not.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuse } from "@kolu/contract/refusals.ts";
import { SAMPLE } from "@kolu/transcript/test-transcript.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestPadi, type TestPadi, testRecord } from "./test-padi.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000001";
const PLAIN = "bbbbbbbb-0000-4000-8000-000000000002";
const NAME = "2026-11-30-stop-the-reconnect-storm";

let padi: TestPadi;
let directory: string;
beforeAll(async () => {
  padi = await startTestPadi({
    "terminals.list": () => ({ terminals: [testRecord(A), testRecord(PLAIN)] }),
    "transcript.read": ({ id }) => {
      if (id === PLAIN) throw refuse("no-agent", { id }, "No agent runs there.");
      return { ...SAMPLE, shortenedTexts: 0 };
    },
  });
});
afterAll(() => padi[Symbol.asyncDispose]());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kolu-export-"));
  return () => rm(directory, { recursive: true });
});

test("into a directory: named by day and title, the path on stdout, what it holds on stderr", async () => {
  const path = join(directory, `${NAME}.html`);
  expect(await padi.run(["export", "aaaa", "--output", directory])).toEqual({
    code: 0,
    stdout: `${path}\n`,
    stderr: [
      "kolu: aaaaaaaa · Claude Code, full: 4 prompts, 4 answers, 8 tool calls, 1 record unreadable",
      "kolu: It holds what tools read and printed: look through it before you share it.",
      "",
    ].join("\n"),
  });
  expect(await readFile(path, "utf8")).toContain("npm test -- dial");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a chat holds less and is named so", async () => {
  const ran = await padi.run(["export", A, "--chat", "--output", directory]);
  expect(ran).toMatchObject({
    code: 0,
    stderr: "kolu: aaaaaaaa · Claude Code, chat: 4 prompts, 4 answers, 1 record unreadable\n",
  });
  expect(await readdir(directory)).toEqual([`${NAME}-chat.html`]);
  expect(await readFile(ran.stdout.trim(), "utf8")).not.toContain("npm test -- dial");
});

test("to stdout: the page and nothing else", async () => {
  const { code, stdout } = await padi.run(["export", A, "--output", "-"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
});

test("a file that is there is kept, unless it is said", async () => {
  const path = join(directory, "mine.html");
  await writeFile(path, "mine");
  expect(await padi.run(["export", A, "--output", path])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `kolu: ${path} is there already. Name another with --output, or overwrite it with --force.\n`,
  });
  expect(await readFile(path, "utf8")).toBe("mine");
  expect(await padi.run(["export", A, "--output", path, "--force"])).toMatchObject({ code: 0 });
  expect(await readFile(path, "utf8")).toMatch(/^<!doctype html>/);
});

test("what cannot be is said: no agent, no directory, both kinds", async () => {
  const nowhere = join(directory, "absent", "a.html");
  const cases: [argv: string[], said: string][] = [
    [["export", PLAIN], "No agent runs there."],
    [["export", A, "--output", nowhere], "The transcript could not be written: ENOENT"],
    [["export", A, "--chat", "--full"], "--chat and --full exclude each other."],
  ];
  for (const [argv, said] of cases)
    expect(await padi.run(argv)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(said),
    });
  expect(await readdir(directory)).toEqual([]);
});
