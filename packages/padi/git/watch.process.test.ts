// Real repositories, watched: what is told, to whom, and that nothing is told twice.
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { GitFacts } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { type TestGround, testGround } from "./test-repository.ts";
import { createGitWatch, type GitWatch } from "./watch.ts";

interface Watched extends Disposable, GitWatch {
  /** Everything that was told of a terminal, in order. */
  told(id: string): (GitFacts | null)[];
  /** Resolves when the newest facts of this terminal match. */
  until(id: string, matches: (facts: GitFacts | null) => boolean): Promise<void>;
  faults: Error[];
}

function watched(): Watched {
  const told = new Map<string, (GitFacts | null)[]>();
  const waiting = new Set<() => void>();
  const faults: Error[] = [];
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  const watch = createGitWatch({
    onFacts: (id, facts) => {
      told.set(id, [...(told.get(id) ?? []), facts]);
      wake();
    },
    onFault: (error) => {
      faults.push(error);
      wake();
    },
  });
  return {
    ...watch,
    told: (id) => told.get(id) ?? [],
    until: (id, matches) =>
      new Promise((resolve) => {
        const check = () => {
          const newest = told.get(id)?.at(-1);
          if (newest === undefined || !matches(newest)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    faults,
    [Symbol.dispose]: watch.dispose,
  };
}

const onBranch = (branch: string) => (facts: GitFacts | null) => facts?.branch === branch;
const dirty = (facts: GitFacts | null) => facts?.dirty === true;
const clean = (facts: GitFacts | null) => facts?.dirty === false;
const none = (facts: GitFacts | null) => facts === null;

async function started(ground: TestGround): Promise<{ root: string; watch: Watched }> {
  const root = await ground.repository("app");
  const watch = watched();
  watch.track("t", join(root, "src"));
  await watch.until("t", clean);
  return { root, watch };
}

test("a branch, a commit, a changed file and an untracked one show without being asked for", async () => {
  await using ground = await testGround();
  const { watch } = await started(ground);
  using _ = watch;
  await ground.git("app", "checkout", "-q", "-b", "feat/deep");
  await watch.until("t", onBranch("feat/deep"));
  await ground.write("app/src/code", "changed");
  await watch.until("t", dirty);
  await ground.git("app", "commit", "-qam", "second");
  const head = await ground.git("app", "rev-parse", "--short=7", "HEAD");
  await watch.until("t", (facts) => facts?.head === head && facts.dirty === false);
  await ground.write("app/src/new/file");
  await watch.until("t", dirty);
  await rm(join(ground.root, "app/src/new"), { recursive: true });
  await watch.until("t", clean);
  expect(watch.faults).toEqual([]);
});

test("a fetch shows how far the branch is behind", async () => {
  await using ground = await testGround();
  await ground.repository("origin");
  await ground.git(".", "clone", "-q", "origin", "app");
  using watch = watched();
  watch.track("t", join(ground.root, "app"));
  await watch.until("t", (facts) => facts?.behind === 0);
  await ground.git("origin", "commit", "-q", "--allow-empty", "-m", "theirs");
  await ground.git("app", "fetch", "-q");
  await watch.until("t", (facts) => facts?.behind === 1);
});

test("a directory that a commit brings is watched from then on", async () => {
  await using ground = await testGround();
  const { watch } = await started(ground);
  using _ = watch;
  await ground.write("app/deep/er/file");
  await ground.git("app", "add", ".");
  await ground.git("app", "commit", "-qm", "deeper");
  const head = await ground.git("app", "rev-parse", "--short=7", "HEAD");
  await watch.until("t", (facts) => facts?.head === head && facts.dirty === false);
  // The new directories are watched a moment after the facts are told: change until it is seen.
  const again = setInterval(() => void ground.write("app/deep/er/file", `${Math.random()}`), 200);
  await watch.until("t", dirty).finally(() => clearInterval(again));
});

test("terminals of one worktree share one watch, and a newcomer hears at once", async () => {
  await using ground = await testGround();
  const { root, watch } = await started(ground);
  using _ = watch;
  const ids = Array.from({ length: 20 }, (_, i) => `more-${i}`);
  for (const id of ids) watch.track(id, root);
  await Promise.all(ids.map((id) => watch.until(id, clean)));
  await ground.git("app", "checkout", "-q", "-b", "other");
  await Promise.all(["t", ...ids].map((id) => watch.until(id, onBranch("other"))));
  // No fact is told twice to anybody.
  for (const id of ids) {
    const told = watch.told(id).map((facts) => JSON.stringify(facts));
    expect(told).toEqual(told.filter((facts, i) => facts !== told[i - 1]));
  }
  for (const id of ids) watch.untrack(id);
  await ground.git("app", "checkout", "-q", "main");
  await watch.until("t", onBranch("main"));
  expect(watch.told("more-3").at(-1)?.branch).toBe("other");
});

test("a terminal that moves hears of its new place, and of none", async () => {
  await using ground = await testGround();
  const { watch } = await started(ground);
  using _ = watch;
  await ground.repository("other");
  watch.track("t", join(ground.root, "other"));
  await watch.until("t", (facts) => facts?.name === "other");
  watch.track("t", ground.root);
  await watch.until("t", none);
});

test("git init in a terminal's directory shows at the next poke, nested or not", async () => {
  await using ground = await testGround();
  using watch = watched();
  await ground.write("plain/sub/file");
  watch.track("t", join(ground.root, "plain/sub"));
  await watch.until("t", none);
  await ground.git("plain", "init", "-q", "--initial-branch=outer");
  watch.poke("t");
  await watch.until("t", onBranch("outer"));
  await ground.git("plain/sub", "init", "-q", "--initial-branch=inner");
  watch.poke("t");
  await watch.until("t", onBranch("inner"));
});

test("a deleted worktree is survived, and so is one that comes back", async () => {
  await using ground = await testGround();
  const { root, watch } = await started(ground);
  using _ = watch;
  await ground.git("app", "worktree", "add", "-q", "-b", "task", ".worktrees/task");
  watch.track("w", join(root, ".worktrees/task/src"));
  await watch.until("w", onBranch("task"));
  await rm(join(root, ".worktrees/task"), { recursive: true });
  await watch.until("w", none);
  await ground.git("app", "worktree", "prune");
  await ground.git("app", "worktree", "add", "-q", ".worktrees/task", "task");
  watch.poke("w");
  await watch.until("w", onBranch("task"));
  await rename(root, join(ground.root, "moved"));
  await watch.until("t", none);
});

test("what git cannot tell is a fault that is said once, and the last facts stay", async () => {
  await using ground = await testGround();
  const { root, watch } = await started(ground);
  using _ = watch;
  await ground.write("app/.git/config", "[broken");
  while (watch.faults.length === 0) {
    watch.poke("t");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  watch.poke("t");
  expect(watch.faults[0]?.message).toContain(root);
  expect(watch.told("t").at(-1)).not.toBeNull();
  await ground.write("app/.git/config", "");
  await ground.git("app", "checkout", "-q", "-b", "healed");
  await watch.until("t", onBranch("healed"));
  expect(watch.faults).toHaveLength(1);
});
