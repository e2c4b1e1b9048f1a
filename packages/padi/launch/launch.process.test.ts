// Terminals made by hand: step by step, given up half-way, with a first prompt; and what there is to choose from.
import { execFile } from "node:child_process";
import { access, chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LaunchFrame, LaunchParams } from "@kolu/contract/padi.ts";
import { expect, test } from "vitest";
import { startPadi, type TestPadi } from "../start-padi.ts";

const IDENTITY = ["-c", "user.name=t", "-c", "user.email=t@t"];

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)("git", [...IDENTITY, ...args], { cwd })).stdout.trim();
}

async function repository(padi: TestPadi, name: string): Promise<string> {
  const root = join(padi.home, name);
  await mkdir(root);
  await git(root, "init", "-q", "-b", "main");
  await git(root, "commit", "-q", "--allow-empty", "-m", "first");
  return root;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function launch(padi: TestPadi, params: Partial<LaunchParams>): Promise<LaunchFrame[]> {
  const frames: LaunchFrame[] = [];
  const wish = { placement: { kind: "toplevel" as const }, ...params };
  for await (const frame of padi.client.subscribe("terminal.launch", wish)) frames.push(frame);
  return frames;
}

test("a launch tells its steps, cuts the worktree from the chosen branch, and is remembered", async () => {
  await using padi = await startPadi();
  const root = await repository(padi, "shop");
  await git(root, "switch", "-q", "-c", "stable");
  await git(root, "commit", "-q", "--allow-empty", "-m", "stable");
  const stable = await git(root, "rev-parse", "HEAD");
  await git(root, "switch", "-q", "main");
  const look = await padi.client.call("directory.look", { path: "~/shop" });
  expect(look).toMatchObject({
    kind: "repository",
    mainRoot: root,
    name: "shop",
    branch: "main",
    base: "main",
  });
  expect(look.kind === "repository" && look.branches.toSorted()).toEqual(["main", "stable"]);

  const frames = await launch(padi, { repo: root, worktree: "task", base: "stable", run: "echo here" });
  expect(frames.map((frame) => (frame.kind === "step" ? frame.step : frame.kind))).toEqual([
    "checkout",
    "shell",
    "prompt",
    "made",
  ]);
  const path = join(root, ".worktrees/task");
  expect(frames.at(-1)).toMatchObject({ made: { worktree: { path, branch: "task" }, ran: "echo here" } });
  expect(await git(path, "rev-parse", "HEAD")).toBe(stable);
  for await (const { repos } of padi.client.subscribe("recents.watch", {}))
    if (repos.some((repo) => repo.root === root)) break;

  const check = (name: string) => padi.client.call("worktree.checkName", { repo: root, name });
  expect(await check("other")).toEqual({ path: join(root, ".worktrees/other"), problem: null });
  expect((await check("task")).problem).toContain("there already");
  expect((await check("a b")).problem).toContain("white space");
  await expect(launch(padi, { repo: root, worktree: "x", base: "nowhere" })).rejects.toMatchObject({
    kind: "worktree-base-missing",
  });
});

test("what a worktree holds is told, and one that holds anything is removed only by force", async () => {
  await using padi = await startPadi();
  const root = await repository(padi, "shop");
  await launch(padi, { repo: root, worktree: "task" });
  const path = join(root, ".worktrees/task");
  const look = () => padi.client.call("worktree.look", { path });
  expect(await look()).toEqual({
    root: path,
    branch: "task",
    isWorktree: true,
    changedFiles: 0,
    ownCommits: 0,
  });
  await writeFile(join(path, "new"), "");
  await writeFile(join(path, "newer"), "");
  expect(await look()).toMatchObject({ changedFiles: 2 });
  await expect(padi.client.call("worktree.remove", { path, force: false })).rejects.toMatchObject({
    kind: "worktree-kept",
    data: { reason: "dirty" },
  });
  await git(path, "add", ".");
  await git(path, "commit", "-q", "-m", "work");
  expect(await look()).toMatchObject({ changedFiles: 0, ownCommits: 1 });
  await padi.client.call("worktree.remove", { path, force: true });
  expect(await exists(path)).toBe(false);
  expect(await git(root, "branch", "--format=%(refname:short)")).toBe("main");
});

test("a launch that is given up leaves nothing behind", async () => {
  await using padi = await startPadi();
  const root = await repository(padi, "shop");
  // A checkout that takes its time.
  await writeFile(join(root, ".git/hooks/post-checkout"), "#!/bin/sh\nsleep 30\n");
  await chmod(join(root, ".git/hooks/post-checkout"), 0o755);
  const abort = new AbortController();
  const wish = { placement: { kind: "toplevel" as const }, repo: root, worktree: "task" };
  const path = join(root, ".worktrees/task");
  const giving = (async () => {
    for await (const frame of padi.client.subscribe("terminal.launch", wish, { signal: abort.signal }))
      if (frame.kind === "step" && frame.step === "checkout") {
        await expect.poll(() => exists(join(path, ".git")), { timeout: 10_000 }).toBe(true);
        abort.abort();
      }
  })();
  await expect(giving).rejects.toThrow();
  const branches = () => git(root, "branch", "--format=%(refname:short)");
  await expect.poll(branches, { timeout: 10_000 }).toBe("main");
  await expect.poll(() => exists(path), { timeout: 10_000 }).toBe(false);
  expect(await git(root, "worktree", "list")).not.toContain("task");
  expect(padi.records.size).toBe(0);
});

test("the agents that a login shell finds are told, and repositories near home", async () => {
  await using padi = await startPadi({ files: { ".bash_profile": 'PATH="$HOME/bin:/usr/bin:/bin"\n' } });
  await mkdir(join(padi.home, "bin"));
  await writeFile(join(padi.home, "bin/codex"), "#!/bin/sh\n");
  await chmod(join(padi.home, "bin/codex"), 0o755);
  await repository(padi, "shop");
  const choices = await padi.client.call("launch.choices", {});
  expect(choices.home).toBe(padi.home);
  expect(choices.agents.filter(({ installed }) => installed)).toEqual([
    { kind: "codex", program: "codex", installed: true, install: "npm install -g @openai/codex" },
  ]);
  expect(choices.agents.map(({ kind }) => kind)).toContain("claude-code");
  expect(choices.repos).toEqual([{ root: join(padi.home, "shop"), name: "shop" }]);
});

test("a first prompt for a command that is no agent is not typed, and that is said", async () => {
  await using padi = await startPadi();
  const frames = await launch(padi, { run: "exit 0", firstPrompt: "do it" });
  expect(frames.at(-1)).toMatchObject({
    kind: "prompted",
    outcome: { kind: "failed", reason: "its terminal ended before that" },
  });
});

test("a search tells each terminal as it has been read", async () => {
  await using padi = await startPadi();
  const ids = [await padi.create({ run: "seq 1000 1040" }), await padi.create({ run: "echo nothing" })];
  await padi.client.call("terminal.wait", { id: ids[0]!, until: { kind: "match", pattern: "^1040$" } });
  const steps = [];
  for await (const step of padi.client.subscribe("search.steps", { query: "103", limitEach: 4 }))
    steps.push(step);
  expect(steps.map(({ searched, total }) => [searched, total])).toEqual([
    [1, 2],
    [2, 2],
  ]);
  const found = steps.find(({ id }) => id === ids[0])!;
  expect(found.truncated).toBe(true);
  expect(found.hits.map(({ text }) => text)).toEqual(["1039", "1038", "1037", "1036"]);
  expect(steps.find(({ id }) => id === ids[1])!.hits).toEqual([]);
});
