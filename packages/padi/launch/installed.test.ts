import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerIn, findInstalled, questionFor } from "./installed.ts";

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "kolu-home-"));
  await mkdir(join(home, "own"));
  await writeFile(join(home, "own", "agent-a"), "#!/bin/sh\n");
  await chmod(join(home, "own", "agent-a"), 0o755);
});
afterAll(() => rm(home, { recursive: true }));

const env = (changes: Record<string, string> = {}) => ({
  HOME: home,
  PATH: "/usr/bin:/bin",
  SHELL: "/bin/bash",
  ...changes,
});

test("what a person's dotfiles put on PATH, or define, is installed", async () => {
  const profile = `echo "Welcome!"\nexport PATH="$HOME/own:$PATH"\nagent-b() { :; }\nalias agent-c=ls\n`;
  await writeFile(join(home, ".bash_profile"), profile);
  const found = await findInstalled(["agent-a", "agent-b", "agent-c", "agent-d"], env());
  expect([...found]).toEqual(["agent-a", "agent-b", "agent-c"]);
});

test("dotfiles that leave something running do not hold up the answer", async () => {
  await writeFile(join(home, ".bash_profile"), `sleep 60 &\nexport PATH="$HOME/own:$PATH"\n`);
  const startedAtMs = performance.now();
  expect([...(await findInstalled(["agent-a"], env()))]).toEqual(["agent-a"]);
  expect(performance.now() - startedAtMs).toBeLessThan(4_000);
});

test("where the shell does not come to the question, the daemon's own PATH is looked at", async () => {
  await writeFile(join(home, ".bash_profile"), "exit 3\n");
  const path = `/x/node_modules/.bin:${join(home, "own")}:/usr/bin`;
  expect([...(await findInstalled(["agent-a", "agent-d"], env({ PATH: path })))]).toEqual(["agent-a"]);
  expect([...(await findInstalled(["agent-a"], env({ SHELL: "/bin/false", PATH: path })))]).toEqual([
    "agent-a",
  ]);
});

test("only plain names go into the question, and a torn answer is none", () => {
  expect(questionFor(["ok", "a; rm -rf /"])).not.toContain("rm -rf");
  expect(answerIn("kolu-has:claude\n")).toBeNull();
  expect(answerIn("motd\nkolu-has:claude\r\nkolu-has:\n")).toEqual(new Set(["claude"]));
});
