import fc from "fast-check";
import { expect, test } from "vitest";
import { worktreeNameProblem } from "./worktree-name.ts";

test.each(["fix", "feat/login", "a.b", "1", "ünï-語", "x@y", "UPPER_case", "a".repeat(200)])(
  "%s is fine",
  (name) => {
    expect(worktreeNameProblem(name)).toBeNull();
  },
);

test.each([
  ...[
    "",
    " ",
    "a b",
    "a\tb",
    "a\nb",
    "a\x00b",
    "a..b",
    "../x",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[b",
    "a\\b",
  ],
  ...["-rf", "/a", "a/", "a//b", ".a", "a/.b", "a.", "a./b", "a.lock", "a.lock/b", "@", "a@{1}", "HEAD"],
  ...["refs/heads/x", "a".repeat(201), `${"語".repeat(90)}`],
])("%j is refused", (name) => {
  expect(worktreeNameProblem(name)).not.toBeNull();
});

test("no name that passes leaves its folder", () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      if (worktreeNameProblem(name) !== null) return;
      expect(name.split("/").some((part) => part === "" || part === "." || part === "..")).toBe(false);
    }),
  );
});
