import { expect, test } from "vitest";
import { parseStatus } from "./facts.ts";

const unknown = { branch: null, head: null, upstream: null, ahead: null, behind: null, dirty: false };

const cases: Record<string, [records: string[], expected: object]> = {
  "a branch with an upstream": [
    [
      "# branch.oid 0123456789abcdef",
      "# branch.head main",
      "# branch.upstream origin/main",
      "# branch.ab +2 -13",
    ],
    { branch: "main", head: "0123456", upstream: "origin/main", ahead: 2, behind: 13 },
  ],
  "no commit yet": [["# branch.oid (initial)", "# branch.head trunk"], { branch: "trunk" }],
  "a detached HEAD": [["# branch.oid 0123456789", "# branch.head (detached)"], { head: "0123456" }],
  "an upstream that is gone has no distance": [
    ["# branch.head x", "# branch.upstream origin/x"],
    { branch: "x", upstream: "origin/x" },
  ],
  "a change makes it dirty": [
    ["# branch.head x", "1 .M N... 100644 100644 100644 a b file"],
    { branch: "x", dirty: true },
  ],
  "so does an untracked file": [["# branch.head x", "? new file"], { branch: "x", dirty: true }],
  "a stash alone does not": [["# branch.head x", "# stash 3"], { branch: "x" }],
  "a branch name keeps its spaces out and its slashes in": [
    ["# branch.head feat/ünï"],
    { branch: "feat/ünï" },
  ],
};

test.each(Object.entries(cases))("%s", (_, [records, expected]) => {
  expect(parseStatus(records.map((record) => `${record}\0`).join(""))).toEqual({ ...unknown, ...expected });
});
