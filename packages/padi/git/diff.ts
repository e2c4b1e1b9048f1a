// The difference of one file, as a unified diff.
import type { GitDiff } from "@kolu/contract/project.ts";
import { findMergeBase } from "./changes.ts";
import { gitFailed, runReading } from "./read.ts";

const PLAIN = ["--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"];

export interface DiffRequest {
  root: string;
  /** Relative to the root, inside it. */
  filePath: string;
  oldPath: string | null;
  mode: "local" | "branch";
}

/** Throws `git-failed`, `too-large`, or `base-branch-not-found`. */
export async function readDiff(request: DiffRequest, signal: AbortSignal): Promise<GitDiff> {
  const { root, filePath, oldPath } = request;
  if (await isUntracked(root, filePath, signal)) return diffUntracked(root, filePath, signal);
  const against = await commitFor(request, signal);
  if (against === null) return { oldFileName: filePath, newFileName: filePath, hunks: [], binary: false };
  const paths = oldPath === null ? [filePath] : [filePath, oldPath];
  const outcome = await runReading(["diff", ...PLAIN, "-M", against, "--", ...paths], root, signal);
  if (outcome.code !== 0) throw gitFailed(outcome);
  return describeDiff(outcome.stdout, { filePath, oldPath });
}

async function commitFor({ root, mode }: DiffRequest, signal: AbortSignal): Promise<string | null> {
  if (mode === "branch") return (await findMergeBase(root, signal))?.sha ?? null;
  const head = await runReading(["rev-parse", "--quiet", "--verify", "HEAD"], root, signal);
  if (head.code === 0) return head.stdout.trim();
  // Before the first commit everything is new: the empty tree, whichever way this repository hashes.
  const empty = await runReading(["hash-object", "-t", "tree", "/dev/null"], root, signal);
  if (empty.code !== 0) throw gitFailed(empty);
  return empty.stdout.trim();
}

async function isUntracked(root: string, filePath: string, signal: AbortSignal): Promise<boolean> {
  const outcome = await runReading(["ls-files", "-z", "--others", "--", filePath], root, signal);
  if (outcome.code !== 0) throw gitFailed(outcome);
  return outcome.stdout.split("\0").includes(filePath);
}

async function diffUntracked(root: string, filePath: string, signal: AbortSignal): Promise<GitDiff> {
  const outcome = await runReading(
    ["diff", ...PLAIN, "--no-index", "--", "/dev/null", filePath],
    root,
    signal,
  );
  // 1 says that they differ.
  if (outcome.code > 1) throw gitFailed(outcome);
  return describeDiff(outcome.stdout, { filePath, oldPath: null });
}

/** Pure: what the header of a diff tells of its file. */
export function describeDiff(
  diff: string,
  { filePath, oldPath }: { filePath: string; oldPath: string | null },
): GitDiff {
  const hunksAt = diff.search(/^@@ /m);
  const header = hunksAt === -1 ? diff : diff.slice(0, hunksAt);
  return {
    oldFileName: /^new file mode /m.test(header) ? null : (oldPath ?? filePath),
    newFileName: /^deleted file mode /m.test(header) ? null : filePath,
    hunks: diff === "" ? [] : [diff],
    binary: /^Binary files .* differ$/m.test(header),
  };
}
