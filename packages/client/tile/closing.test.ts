import { expect, test } from "vitest";
import { gitForTest, idForTest, recordForTest } from "../store/record-for-test.ts";
import { worktreeLeft } from "./closing.ts";
import { lossWords } from "./loss-words.ts";

const inWorktree = { ...gitForTest("shop", "task"), root: "/shop/.worktrees/task", isWorktree: true };
const mapped = (...records: ReturnType<typeof recordForTest>[]) =>
  new Map(records.map((r) => [r.id as string, r]));

test("a worktree is left by its last terminal, its splits among it", () => {
  const tile = recordForTest(1, { git: inWorktree });
  const split = recordForTest(2, { git: inWorktree, parentId: idForTest(1) });
  const left = { root: inWorktree.root, branch: "task" };
  expect(worktreeLeft(mapped(tile, split), tile)).toEqual(left);
  expect(worktreeLeft(mapped(tile, split), split)).toBeNull();
});

test("one that somebody else is in, asleep too, and the repository itself are never left", () => {
  const tile = recordForTest(1, { git: inWorktree });
  const sleeper = recordForTest(2, { git: inWorktree, life: "sleeping" });
  expect(worktreeLeft(mapped(tile, sleeper), tile)).toBeNull();
  const main = recordForTest(3, { git: gitForTest("shop") });
  expect(worktreeLeft(mapped(main), main)).toBeNull();
});

test("what would be lost is counted", () => {
  const look = { root: "/x", branch: "x", isWorktree: true };
  expect(lossWords({ ...look, changedFiles: 0, ownCommits: 0 })).toBeNull();
  expect(lossWords({ ...look, changedFiles: 1, ownCommits: 0 })).toBe("1 changed file");
  expect(lossWords({ ...look, changedFiles: 2, ownCommits: 1 })).toBe("2 changed files and 1 commit");
});
