import type { CreateParams } from "@kolu/contract/padi.ts";
import { expect, test } from "vitest";
import { refuseCreate } from "./create-gates.ts";

const cases: [Partial<CreateParams>, string | null][] = [
  [{}, null],
  [{ cwd: "/x" }, null],
  [{ repo: "/r", worktree: "w" }, null],
  [{ cwd: " " }, "blank-field cwd"],
  [{ intent: "", cwd: "" }, "blank-field cwd"],
  [{ run: "\t", repo: "" }, "blank-field repo"],
  [{ worktree: " ", repo: "/r" }, "blank-field worktree"],
  // A blank field is named before anything that follows from it.
  [{ repo: "/r", run: "" }, "blank-field run"],
  [{ repo: "/r" }, "repo-without-worktree"],
  [{ cwd: "/x", worktree: "w", repo: "/r" }, "cwd-and-worktree"],
  [{ worktree: "w" }, "worktree-needs-repo"],
  [{ worktree: "w", repo: "r" }, "relative-repo"],
  [{ cwd: "x" }, "not-a-directory"],
  [{ argv: [] }, "argv-empty"],
  [{ argv: ["top"], run: "ls" }, "bad-params"],
];

for (const [params, expected] of cases) {
  test(`${JSON.stringify(params)} leads to ${expected ?? "a terminal"}`, () => {
    const refusal = refuseCreate({ placement: { kind: "toplevel" }, ...params });
    const seen =
      refusal && [refusal.kind, ...("field" in refusal.data ? [refusal.data.field] : [])].join(" ");
    expect(seen).toBe(expected);
  });
}
