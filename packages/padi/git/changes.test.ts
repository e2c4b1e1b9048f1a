import { describe, expect, test } from "vitest";
import { parseChanges, parseNameStatus } from "./changes.ts";
import { describeDiff } from "./diff.ts";

const Z = "\0";
// Records as git 2.43 writes them.
const STATUS = [
  "# branch.oid 7d9c0c2a3d5f",
  "# branch.head main",
  "# branch.upstream origin/main",
  "# branch.ab +2 -1",
  "1 .M N... 100644 100644 100644 aaaa bbbb with a blank.txt",
  "1 A. N... 000000 100644 100644 0000 bbbb new",
  "1 AD N... 000000 100644 000000 0000 bbbb gone again",
  "1 MM N... 100644 100644 100644 aaaa bbbb both",
  "2 R. N... 100644 100644 100644 aaaa bbbb R100 to",
  "from",
  "u UU N... 100644 100644 100644 100644 aaaa bbbb cccc conflict",
  "? 語",
].join(Z);

test("a status tells files, branch and counts", () => {
  expect(parseChanges(STATUS + Z)).toEqual({
    mode: "local",
    files: [
      { path: "with a blank.txt", status: "M" },
      { path: "new", status: "A" },
      { path: "gone again", status: "D" },
      { path: "both", status: "M" },
      { path: "to", status: "R", oldPath: "from" },
      { path: "conflict", status: "U" },
      { path: "語", status: "?" },
    ],
    branch: { name: "main", upstream: "origin/main", ahead: 2, behind: 1 },
    workingTree: { staged: 4, modified: 4, untracked: 1 },
  });
});

test("a detached HEAD has no name", () => {
  expect(parseChanges(`# branch.head (detached)${Z}`)).toMatchObject({
    branch: { name: null, upstream: null },
  });
});

test("names and states of a comparison, renames with where they come from", () => {
  expect(parseNameStatus(["M", "a b", "R087", "old", "new", "D", "x", ""].join(Z))).toEqual([
    { path: "a b", status: "M" },
    { path: "new", status: "R", oldPath: "old" },
    { path: "x", status: "D" },
  ]);
});

describe("a diff's header tells of its file", () => {
  const at = { filePath: "f", oldPath: null };
  const cases: Record<string, [diff: string, old: string | null, now: string | null, binary: boolean]> = {
    "a change": [
      "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-new file mode 1\n+x\n",
      "f",
      "f",
      false,
    ],
    "a new file": [
      "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
      null,
      "f",
      false,
    ],
    "a deleted file": ["diff --git a/f b/f\ndeleted file mode 100644\n@@ -1 +0,0 @@\n-x\n", "f", null, false],
    "a binary file": ["diff --git a/f b/f\nBinary files a/f and b/f differ\n", "f", "f", true],
  };
  test.each(Object.entries(cases))("%s", (_title, [diff, oldFileName, newFileName, binary]) => {
    expect(describeDiff(diff, at)).toEqual({ oldFileName, newFileName, hunks: [diff], binary });
  });
  test("no difference has no hunks", () => {
    expect(describeDiff("", at).hunks).toEqual([]);
  });
});
