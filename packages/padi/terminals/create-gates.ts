// What a create is refused for before anything is made. Pure; the order is part of the contract: blank fields, then how
// the directory is chosen.

import { isAbsolute } from "node:path";
import type { CreateParams } from "@kolu/contract/padi.ts";
import { type Refusal, refuse } from "@kolu/contract/refusals.ts";

const MAY_NOT_BE_BLANK = ["cwd", "intent", "repo", "worktree", "base", "run"] as const;

/** The first reason to refuse, or null. */
export function refuseCreate(params: CreateParams): Refusal | null {
  for (const field of MAY_NOT_BE_BLANK) {
    if (params[field] !== undefined && params[field].trim() === "")
      return refuse(
        "blank-field",
        { field },
        `${field} is blank. Leave it out, or give it a value (is a shell variable unset?).`,
      );
  }
  const { repo, worktree, cwd, argv, run } = params;
  if (repo !== undefined && worktree === undefined)
    return refuse(
      "repo-without-worktree",
      {},
      "repo says where a worktree is cut, so it needs worktree with its name. To open a terminal in the repository itself, use cwd.",
    );
  if (cwd !== undefined && worktree !== undefined)
    return refuse(
      "cwd-and-worktree",
      {},
      "The terminal opens in the fresh worktree, so cwd cannot be given with worktree.",
    );
  if (worktree !== undefined && repo === undefined)
    return refuse(
      "worktree-needs-repo",
      {},
      "worktree needs repo: the absolute path of the repository to cut it from.",
    );
  if (repo !== undefined && !isAbsolute(repo))
    return refuse(
      "relative-repo",
      { repo },
      `repo has to be an absolute path; ${repo} is relative to nothing that the daemon knows.`,
    );
  if (cwd !== undefined && !isAbsolute(cwd))
    return refuse(
      "not-a-directory",
      { path: cwd },
      `cwd has to be an absolute path; ${cwd} is relative to nothing that the daemon knows.`,
    );
  if (argv !== undefined && argv.length === 0)
    return refuse("argv-empty", {}, "argv is empty. Leave it out for a shell.");
  if (argv !== undefined && run !== undefined)
    return refuse(
      "bad-params",
      { issues: [{ path: "run", message: "cannot be given with argv" }] },
      "run is typed at a shell prompt, and a terminal with argv has none. Give one of them.",
    );
  return null;
}
