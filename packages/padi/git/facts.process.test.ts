// What git says of real directories.
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readGitFacts } from "./facts.ts";
import { testGround } from "./test-repository.ts";

async function factsOf(path: string) {
  const reading = await readGitFacts(path);
  if (reading.kind !== "repository") throw new Error(`${reading.kind}: ${path}`);
  return reading.facts;
}

test("a repository, from its root, from a directory below, through a link and from inside .git", async () => {
  await using ground = await testGround();
  const root = await ground.repository("app");
  const expected = {
    root,
    name: "app",
    mainRoot: root,
    branch: "main",
    head: await ground.git("app", "rev-parse", "--short=7", "HEAD"),
    isWorktree: false,
    upstream: null,
    ahead: null,
    behind: null,
    dirty: false,
  };
  await symlink(join(root, "src"), join(ground.root, "link"));
  for (const path of [root, join(root, "src"), join(ground.root, "link"), join(root, ".git", "refs")])
    expect(await factsOf(path)).toEqual(expected);
});

test("each change of its state", async () => {
  await using ground = await testGround();
  const root = await ground.repository("app");
  await ground.write("app/new", "untracked");
  expect(await factsOf(root)).toMatchObject({ dirty: true });
  await ground.write("app/.gitignore", "new\n");
  await ground.git("app", "add", ".gitignore");
  await ground.git("app", "commit", "-qm", "ignore");
  expect(await factsOf(root)).toMatchObject({ dirty: false });
  await ground.git("app", "checkout", "-q", "--detach");
  expect(await factsOf(root)).toMatchObject({ branch: null, head: expect.stringMatching(/^[0-9a-f]{7}$/) });
});

test("no commit yet", async () => {
  await using ground = await testGround();
  await ground.git(".", "init", "-q", "--initial-branch=trunk", "app");
  expect(await factsOf(join(ground.root, "app"))).toMatchObject({
    branch: "trunk",
    head: null,
    dirty: false,
  });
});

test("how far a branch is from its upstream", async () => {
  await using ground = await testGround();
  await ground.repository("origin");
  await ground.git(".", "clone", "-q", "origin", "app");
  await ground.git("app", "commit", "-q", "--allow-empty", "-m", "mine");
  await ground.git("origin", "commit", "-q", "--allow-empty", "-m", "theirs");
  await ground.git("origin", "commit", "-q", "--allow-empty", "-m", "theirs again");
  await ground.git("app", "fetch", "-q");
  const facts = await factsOf(join(ground.root, "app"));
  expect(facts).toMatchObject({ upstream: "origin/main", ahead: 1, behind: 2 });
  await ground.git("app", "update-ref", "-d", "refs/remotes/origin/main");
  expect(await factsOf(facts.root)).toMatchObject({ upstream: "origin/main", ahead: null, behind: null });
});

test("a worktree is of its repository, wherever it lies", async () => {
  await using ground = await testGround();
  const mainRoot = await ground.repository("app");
  await ground.git("app", "worktree", "add", "-q", "-b", "task", "../elsewhere");
  const root = join(ground.root, "elsewhere");
  const expected = { root, mainRoot, name: "app", branch: "task", isWorktree: true };
  expect(await factsOf(join(root, "src"))).toMatchObject(expected);
});

test("a bare repository has a name, and so have its worktrees", async () => {
  await using ground = await testGround();
  await ground.repository("seed");
  for (const [bare, holder] of [
    ["app.git", "app.git"],
    ["shop/.bare", "shop"],
  ] as const) {
    await mkdir(join(ground.root, "shop"), { recursive: true });
    await ground.git(".", "clone", "-q", "--bare", "seed", bare);
    const name = holder.replace(".git", "");
    const mainRoot = join(ground.root, holder);
    const own = {
      root: join(ground.root, bare),
      mainRoot,
      name,
      branch: "main",
      isWorktree: false,
      dirty: false,
    };
    expect(await factsOf(join(ground.root, bare))).toMatchObject(own);
    await ground.git(bare, "worktree", "add", "-q", "-b", "task", join(ground.root, `${name}-task`));
    const worktree = {
      root: join(ground.root, `${name}-task`),
      mainRoot,
      name,
      branch: "task",
      isWorktree: true,
    };
    expect(await factsOf(worktree.root)).toMatchObject(worktree);
  }
});

test("a submodule is a repository of its own", async () => {
  await using ground = await testGround();
  await ground.repository("lib");
  await ground.repository("app");
  await ground.git(
    "app",
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    "../lib",
    "vendor/lib",
  );
  const root = join(ground.root, "app/vendor/lib");
  expect(await factsOf(root)).toMatchObject({ root, mainRoot: root, name: "lib", isWorktree: false });
});

test("no repository and no directory are known; what git cannot tell is unreadable, with its cause", async () => {
  await using ground = await testGround();
  expect(await readGitFacts(ground.root)).toEqual({ kind: "none" });
  expect(await readGitFacts(join(ground.root, "nowhere"))).toEqual({ kind: "none" });
  await ground.write("file", "");
  expect(await readGitFacts(join(ground.root, "file"))).toEqual({ kind: "none" });

  const root = await ground.repository("app");
  await ground.git("app", "worktree", "add", "-q", "-b", "task", "../task");
  await rename(root, `${root}-moved`);
  const orphan = await readGitFacts(join(ground.root, "task"));
  expect(orphan).toMatchObject({ kind: "unreadable", path: join(ground.root, "task") });
  expect(orphan.kind === "unreadable" && orphan.cause.message).toMatch(/not a git repository/);

  await writeFile(join(`${root}-moved`, ".git", "config"), "[broken");
  expect(await readGitFacts(`${root}-moved`)).toMatchObject({ kind: "unreadable" });
  await rm(`${root}-moved`, { recursive: true });
  expect(await readGitFacts(`${root}-moved`)).toEqual({ kind: "none" });
});

test("a look runs no program that the repository names, and writes nothing", async () => {
  await using ground = await testGround();
  const root = await ground.repository("app");
  await ground.git("app", "config", "core.fsmonitor", `touch ${ground.root}/ran; false`);
  await ground.write("app/file", "changed");
  expect(await factsOf(root)).toMatchObject({ dirty: true });
  await expect(ground.git(".", "hash-object", "ran")).rejects.toThrow();
});
