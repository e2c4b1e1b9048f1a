// The files and the git state of the directories that live terminals are in: what may be read of them, and how it reads.
import { z } from "zod";
import { TerminalId } from "./ids.ts";

const repoPath = z
  .string()
  .min(1)
  .describe("Absolute path of the repository or directory of a live terminal, or of a directory inside it.");
const filePath = z.string().min(1).describe("Path of the file, relative to that directory.");

/** local: against the last commit. branch: against where the branch left origin's default branch. */
export const DiffMode = z
  .enum(["local", "branch"])
  .describe("local: uncommitted work. branch: all of this branch.");

export const ChangedFile = z.object({
  path: z.string(),
  /** Modified, added, deleted, renamed, copied, unmerged, type changed, untracked. */
  status: z.enum(["M", "A", "D", "R", "C", "U", "T", "?"]),
  oldPath: z.string().optional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const GitStatusParams = z.object({ repoPath, mode: DiffMode });
export const GitStatus = z.discriminatedUnion("mode", [
  z.object({
    mode: z.literal("local"),
    /** Paths from the repository's root on. */
    files: z.array(ChangedFile),
    branch: z.object({
      /** Null when HEAD is detached. */
      name: z.string().nullable(),
      upstream: z.string().nullable(),
      ahead: z.int(),
      behind: z.int(),
    }),
    /** How many files of each kind. */
    workingTree: z.object({ staged: z.int(), modified: z.int(), untracked: z.int() }),
  }),
  z.object({
    mode: z.literal("branch"),
    files: z.array(ChangedFile),
    /** The commit that everything is compared with; null when there is no origin. */
    base: z.object({ ref: z.string(), sha: z.string() }).nullable(),
  }),
]);
export type GitStatus = z.infer<typeof GitStatus>;

export const GitDiffParams = z.object({
  repoPath,
  filePath: z
    .string()
    .min(1)
    .describe("Path of the file as the status lists it: from the repository's root on."),
  mode: DiffMode,
  oldPath: z.string().min(1).optional().describe("The path before a rename, as the status names it."),
});
export const GitDiff = z.object({
  /** Null: the file is new. */
  oldFileName: z.string().nullable(),
  /** Null: the file was deleted. */
  newFileName: z.string().nullable(),
  /** One unified diff, or nothing when there is no difference. */
  hunks: z.array(z.string()),
  binary: z.boolean(),
});
export type GitDiff = z.infer<typeof GitDiff>;

export const FsListParams = z.object({ repoPath });
export const FsList = z.object({
  /** Relative to `repoPath`; in a repository what git tracks and what it does not ignore. */
  paths: z.array(z.string()),
  /** There are more than can be listed. */
  truncated: z.boolean(),
});
export type FsList = z.infer<typeof FsList>;

export const FsReadParams = z.object({ repoPath, filePath });
export const FsRead = z.object({
  /** UTF-8; "" for a binary file. */
  content: z.string(),
  /** Only the first 1 MiB is here. */
  truncated: z.boolean(),
  binary: z.boolean(),
});
export type FsRead = z.infer<typeof FsRead>;

// What the page asks besides: directories one by one, files that are no text, and when to look again.

export const FsDirectoryParams = z.object({
  repoPath,
  directoryPath: z.string().describe("Path of the directory, relative to that one; empty for itself."),
});
export const FsDirectory = z.object({
  /** Directories first, each by name. */
  entries: z.array(z.object({ name: z.string(), directory: z.boolean() })),
  /** There are more than can be listed. */
  truncated: z.boolean(),
});
export type FsDirectory = z.infer<typeof FsDirectory>;

/** A whole file, of whatever kind. Refuses with `too-large`. */
export const FsBytes = z.object({ base64: z.string() });
export type FsBytes = z.infer<typeof FsBytes>;

export const ProjectWatchParams = z.object({
  repoPath,
  /** This file is watched for itself, also where git would not tell. */
  filePath: z.string().min(1).optional(),
});
/** Something may have changed: once at the beginning, then each time. It counts up. */
export const ProjectNews = z.object({ revision: z.int().min(0) });
export type ProjectNews = z.infer<typeof ProjectNews>;

/** Paths as a terminal's output names them: relative to its directory or its repository, absolute, or below the home. */
export const FsLocateParams = z.object({
  id: TerminalId,
  paths: z.array(z.string().min(1).max(4_096)).max(64),
});
export const FsLocate = z.object({
  /** For each the absolute path of a file of the terminal's project, or null. */
  found: z.array(z.string().nullable()),
});
