// Which files of a repository changed, against its last commit or against where its branch began.
import type { ChangedFile, GitStatus } from "@kolu/contract/project.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { gitFailed, runReading } from "./read.ts";

/** Uncommitted work, with the branch and how far it is from its upstream. */
export async function readLocalChanges(root: string, signal: AbortSignal): Promise<GitStatus> {
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"];
  const outcome = await runReading(args, root, signal);
  if (outcome.code !== 0) throw gitFailed(outcome);
  return parseChanges(outcome.stdout);
}

/** Everything since the branch left origin's default branch, uncommitted and untracked files included. */
export async function readBranchChanges(root: string, signal: AbortSignal): Promise<GitStatus> {
  const base = await findMergeBase(root, signal);
  if (base === null) return { mode: "branch", files: [], base: null };
  const changed = await runReading(
    ["diff", "--name-status", "-z", "--no-ext-diff", "-M", base.sha],
    root,
    signal,
  );
  if (changed.code !== 0) throw gitFailed(changed);
  const untracked = await runReading(["ls-files", "-z", "--others", "--exclude-standard"], root, signal);
  if (untracked.code !== 0) throw gitFailed(untracked);
  const files = parseNameStatus(changed.stdout);
  for (const path of untracked.stdout.split("\0")) if (path !== "") files.push({ path, status: "?" });
  return { mode: "branch", files, base };
}

/** Where HEAD left origin's default branch; null without an origin. Throws `base-branch-not-found`. */
export async function findMergeBase(
  root: string,
  signal: AbortSignal,
): Promise<{ ref: string; sha: string } | null> {
  const origin = await runReading(["config", "--get", "remote.origin.url"], root, signal);
  if (origin.code !== 0) return null;
  const named = await runReading(
    ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"],
    root,
    signal,
  );
  const remembered = named.stdout.trim();
  for (const ref of [remembered, "origin/main", "origin/master"]) {
    if (ref === "") continue;
    const base = await runReading(["merge-base", ref, "HEAD"], root, signal);
    if (base.code === 0) return { ref, sha: base.stdout.trim() };
  }
  throw refuse(
    "base-branch-not-found",
    { repo: root },
    `There is no common commit with origin's default branch. Fetch origin first, or ask with mode local.`,
  );
}

/** Reads `git status --porcelain=v2 --branch -z`. Pure. */
export function parseChanges(text: string): GitStatus {
  const branch = { name: null as string | null, upstream: null as string | null, ahead: 0, behind: 0 };
  const workingTree = { staged: 0, modified: 0, untracked: 0 };
  const files: ChangedFile[] = [];
  const records = text.split("\0");
  for (let at = 0; at < records.length; at++) {
    const record = records[at]!;
    const header = /^# branch\.(head|upstream|ab) (.*)$/s.exec(record);
    if (header) readBranchHeader(branch, header[1]!, header[2]!);
    else if (record.startsWith("? ")) {
      files.push({ path: record.slice(2), status: "?" });
      workingTree.untracked += 1;
    } else if (record.startsWith("u ")) {
      files.push({ path: afterFields(record, 10), status: "U" });
      workingTree.modified += 1;
    } else if (record.startsWith("1 ") || record.startsWith("2 ")) {
      const [index, worktree] = [record[2]!, record[3]!];
      const moved = record.startsWith("2 ");
      const file: ChangedFile = {
        path: afterFields(record, moved ? 9 : 8),
        status: letterOf(index, worktree),
      };
      // The path before a rename is the next record.
      if (moved) file.oldPath = records[++at]!;
      files.push(file);
      if (index !== ".") workingTree.staged += 1;
      if (worktree !== ".") workingTree.modified += 1;
    }
  }
  return { mode: "local", files, branch, workingTree };
}

function readBranchHeader(
  branch: { name: string | null; upstream: string | null; ahead: number; behind: number },
  name: string,
  value: string,
): void {
  if (name === "head") branch.name = value === "(detached)" ? null : value;
  else if (name === "upstream") branch.upstream = value;
  else {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? [];
    branch.ahead = Number(ahead ?? 0);
    branch.behind = Number(behind ?? 0);
  }
}

/** A path may hold blanks: it is everything after so many fields. */
function afterFields(record: string, fields: number): string {
  let from = 0;
  for (let count = 0; count < fields; count++) from = record.indexOf(" ", from) + 1;
  return record.slice(from);
}

/** One letter against the last commit for what the index and the worktree say. */
function letterOf(index: string, worktree: string): ChangedFile["status"] {
  if (worktree === "D") return "D";
  const letter = index === "." ? worktree : index;
  return isStatus(letter) ? letter : "M";
}

function isStatus(letter: string): letter is ChangedFile["status"] {
  return ["M", "A", "D", "R", "C", "U", "T"].includes(letter);
}

/** Reads `git diff --name-status -z`. Pure. */
export function parseNameStatus(text: string): ChangedFile[] {
  const words = text.split("\0");
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < words.length; ) {
    const letter = words[at]![0] ?? "M";
    const status = isStatus(letter) ? letter : "M";
    if (status === "R" || status === "C") {
      files.push({ path: words[at + 2]!, status, oldPath: words[at + 1]! });
      at += 3;
    } else {
      files.push({ path: words[at + 1]!, status });
      at += 2;
    }
  }
  return files;
}
