// Worktrees of real repositories: cut, refused, cut at once, half-way, removed.
import { access, chmod, readdir, readFile, rename } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { isRefusal, type RefusalKind } from "@kolu/contract/refusals.ts";
import { expect, test } from "vitest";
import { readGitFacts } from "./facts.ts";
import { type TestGround, testGround } from "./test-repository.ts";
import { createWorktree, removeWorktree } from "./worktree.ts";

/** A clone of `origin`, which is one commit ahead of what the clone knows. */
async function clonedAndBehind(ground: TestGround): Promise<{ repo: string; newest: string; known: string }> {
  await ground.repository("origin");
  await ground.git(".", "clone", "-q", "origin", "app");
  await ground.git("origin", "commit", "-q", "--allow-empty", "-m", "newest");
  const newest = await ground.git("origin", "rev-parse", "HEAD");
  return { repo: join(ground.root, "app"), newest, known: await ground.git("app", "rev-parse", "HEAD") };
}

async function refusalOf<K extends RefusalKind>(kind: K, running: Promise<unknown>) {
  const error = await running.then(
    () => new Error("it was not refused"),
    (error: unknown) => error,
  );
  if (!isRefusal(error, kind)) throw error;
  return error;
}

test("a worktree starts at origin's newest commit, and leaves the repository clean", async () => {
  await using ground = await testGround();
  const { repo, newest } = await clonedAndBehind(ground);
  const made = await createWorktree({ repo: join(repo, "src"), name: "feat/login" });
  expect(made).toEqual({ path: join(repo, ".worktrees/feat/login"), branch: "feat/login" });
  expect(await ground.git("app/.worktrees/feat/login", "rev-parse", "HEAD")).toBe(newest);
  const reading = await readGitFacts(made.path);
  expect(reading).toMatchObject({
    facts: { branch: "feat/login", upstream: null, name: "app", isWorktree: true },
  });
  expect(await readGitFacts(repo)).toMatchObject({ facts: { dirty: false, branch: "main" } });
  // From inside a worktree, the next one lies beside it and not within.
  const next = await createWorktree({ repo: made.path, name: "next" });
  expect(next.path).toBe(join(repo, ".worktrees/next"));
  const exclude = await readFile(join(repo, ".git/info/exclude"), "utf8");
  expect(exclude.match(/^\/\.worktrees\/$/gm)).toHaveLength(1);
});

test("a default branch that was renamed at origin is found", async () => {
  await using ground = await testGround();
  const { repo } = await clonedAndBehind(ground);
  await ground.git("origin", "branch", "-m", "trunk");
  const made = await createWorktree({ repo, name: "task" });
  expect(made.note).toBeUndefined();
  expect(await ground.git("app", "rev-parse", "task")).toBe(await ground.git("origin", "rev-parse", "trunk"));
});

test("an origin that is not there is said, and what is known is used", async () => {
  await using ground = await testGround();
  const { repo, known } = await clonedAndBehind(ground);
  await rename(join(ground.root, "origin"), join(ground.root, "away"));
  const made = await createWorktree({ repo, name: "offline" });
  expect(made.note).toMatch(/^Cut from main of origin as last fetched: origin could not be/);
  expect(await ground.git("app", "rev-parse", "offline")).toBe(known);
});

test("an origin that never answers is given up", { timeout: 40_000 }, async () => {
  await using ground = await testGround();
  const { repo } = await clonedAndBehind(ground);
  const sockets = new Set<{ destroy(): void }>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  await ground.git("app", "remote", "set-url", "origin", `git://127.0.0.1:${port}/x`);
  try {
    const made = await createWorktree({ repo, name: "patient" });
    expect(made.note).toMatch(/origin did not answer within 10 s/);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test("without an origin the local default branch is used, else the current commit", async () => {
  await using ground = await testGround();
  const repo = await ground.repository("app");
  await ground.git("app", "checkout", "-q", "-b", "elsewhere");
  await ground.git("app", "commit", "-q", "--allow-empty", "-m", "not for main");
  const fromMain = await createWorktree({ repo, name: "a" });
  expect(fromMain.note).toBe("Cut from the local branch main: there is no origin.");
  expect(await ground.git("app", "rev-parse", "a")).toBe(await ground.git("app", "rev-parse", "main"));
  await ground.git("app", "branch", "-m", "main", "stem");
  const fromHead = await createWorktree({ repo, name: "b" });
  expect(fromHead.note).toBe("Cut from the current commit: there is no origin.");
  expect(await ground.git("app", "rev-parse", "b")).toBe(await ground.git("app", "rev-parse", "elsewhere"));
});

test("a bare repository can be cut from", async () => {
  await using ground = await testGround();
  await ground.repository("seed");
  await ground.git(".", "clone", "-q", "--bare", "seed", "app.git");
  await ground.git("app.git", "remote", "remove", "origin");
  const made = await createWorktree({ repo: join(ground.root, "app.git"), name: "task" });
  expect(made.path).toBe(join(ground.root, "app.git/.worktrees/task"));
});

test("what cannot be is refused before anything exists", async () => {
  await using ground = await testGround();
  const repo = await ground.repository("app");
  await refusalOf("bad-worktree-name", createWorktree({ repo, name: "a b" }));
  await refusalOf("not-a-repo", createWorktree({ repo: ground.root, name: "a" }));
  await refusalOf("not-a-repo", createWorktree({ repo: join(ground.root, "nowhere"), name: "a" }));
  await ground.git(".", "init", "-q", "empty");
  await refusalOf("worktree-base-missing", createWorktree({ repo: join(ground.root, "empty"), name: "a" }));
  await ground.git("app", "branch", "taken");
  await refusalOf("worktree-name-collision", createWorktree({ repo, name: "taken" }));
  await ground.write("app/.worktrees/stray/file");
  await refusalOf("worktree-name-collision", createWorktree({ repo, name: "stray" }));
  await createWorktree({ repo, name: "deep/one" });
  for (const name of ["deep", "deep/one/more", "deep/one"])
    await refusalOf("worktree-name-collision", createWorktree({ repo, name }));
  expect(await ground.git("app", "for-each-ref", "--format=%(refname:short)")).toBe("deep/one\nmain\ntaken");
  expect((await readdir(join(repo, ".worktrees"))).sort()).toEqual(["deep", "stray"]);
});

test("eight at once all stand, and of eight with one name just one", async () => {
  await using ground = await testGround();
  const { repo, newest } = await clonedAndBehind(ground);
  const names = Array.from({ length: 8 }, (_, i) => `lane-${i}`);
  const made = await Promise.all(names.map((name) => createWorktree({ repo, name })));
  for (const { path, note } of made) {
    expect(note).toBeUndefined();
    expect(await readGitFacts(path)).toMatchObject({ facts: { head: newest.slice(0, 7), dirty: false } });
  }
  const same = await Promise.allSettled(names.map(() => createWorktree({ repo, name: "one" })));
  expect(same.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const one of same)
    if (one.status === "rejected") expect(isRefusal(one.reason, "worktree-name-collision")).toBe(true);
});

test("a checkout hook that fails leaves a worktree, which is named", async () => {
  await using ground = await testGround();
  const repo = await ground.repository("app");
  await ground.write("app/.git/hooks/post-checkout", "#!/bin/sh\necho hook says no >&2\nexit 1\n");
  await chmod(join(repo, ".git/hooks/post-checkout"), 0o755);
  const { data, message } = await refusalOf("stopped-partway", createWorktree({ repo, name: "task" }));
  const path = join(repo, ".worktrees/task");
  expect(data).toEqual({ landed: { worktree: { path, branch: "task" } } });
  expect(message).toContain("hook says no");
  await access(join(path, "file"));
});

test("a checkout that git itself takes back leaves no branch either", async () => {
  await using ground = await testGround();
  const repo = await ground.repository("app");
  // git makes the branch, then cannot make the directory.
  await ground.write("app/.worktrees", "a file in the way");
  await refusalOf("git-failed", createWorktree({ repo, name: "task" }));
  expect(await ground.git("app", "for-each-ref", "--format=%(refname:short)")).toBe("main");
  expect(await ground.git("app", "worktree", "list", "--porcelain")).not.toContain("task");
});

test("a worktree goes with its branch, unless work would be lost", async () => {
  await using ground = await testGround();
  const repo = await ground.repository("app");
  await createWorktree({ repo, name: "feat/done" });
  const path = join(repo, ".worktrees/feat/done");
  await ground.write("app/.worktrees/feat/done/new");
  const whyDirty = await refusalOf("worktree-kept", removeWorktree({ path, force: false }));
  expect(whyDirty.data).toEqual({ path, branch: "feat/done", reason: "dirty" });
  await ground.git("app/.worktrees/feat/done", "add", ".");
  await ground.git("app/.worktrees/feat/done", "commit", "-qm", "work");
  const whyUnmerged = await refusalOf("worktree-kept", removeWorktree({ path, force: false }));
  expect(whyUnmerged.data.reason).toBe("unmerged");
  await ground.git("app", "merge", "-q", "feat/done");
  await removeWorktree({ path, force: false });
  expect(await readdir(join(repo, ".worktrees")).catch(() => [])).toEqual([]);
  expect(await ground.git("app", "branch", "--list", "feat/done")).toBe("");

  await createWorktree({ repo, name: "waste" });
  await ground.write("app/.worktrees/waste/file", "changed");
  await removeWorktree({ path: join(repo, ".worktrees/waste"), force: true });
  expect(await ground.git("app", "branch", "--list", "waste")).toBe("");
  const main = await refusalOf("worktree-kept", removeWorktree({ path: repo, force: true }));
  expect(main.data.reason).toBe("main");
});
