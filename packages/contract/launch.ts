// What a person chooses from when a terminal is made: where, in which worktree, running what. Nothing here is in an
// agent's reach: verbs.ts leaves it out.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { PromptReceipt } from "./prompt.ts";

export const RecentRepo = z.object({ root: z.string(), name: z.string(), usedAtMs: z.number() });
export type RecentRepo = z.infer<typeof RecentRepo>;

export const RecentAgent = z.object({
  /** Normalised command line, without a prompt in it. */
  command: z.string(),
  kind: z.string(),
  /** Main root of the repository that it was started in; null outside of any. */
  repoRoot: z.string().nullable(),
  usedAtMs: z.number(),
});
export type RecentAgent = z.infer<typeof RecentAgent>;

/** What was used of late, the latest first. */
export const Recents = z.object({ repos: z.array(RecentRepo), agents: z.array(RecentAgent) });
export type Recents = z.infer<typeof Recents>;

/** What could be started on this machine. */
export const LaunchChoices = z.object({
  home: z.string(),
  /** Name of the machine. */
  host: z.string(),
  /** Every agent that kolu knows, in its own order; `installed` as the person's login shell would find it. */
  agents: z.array(
    z.object({
      kind: z.string(),
      program: z.string(),
      installed: z.boolean(),
      /** The command that installs it; null where none is known. */
      install: z.string().nullable(),
    }),
  ),
  /** Repositories that lie near the home directory, by name. */
  repos: z.array(z.object({ root: z.string(), name: z.string() })),
});
export type LaunchChoices = z.infer<typeof LaunchChoices>;

export const Directory = z.object({ path: z.string(), isRepo: z.boolean() });
export type Directory = z.infer<typeof Directory>;

/** What a directory is, as far as a new terminal in it cares. */
export const DirectoryLook = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("repository"),
    /** The directory itself, links resolved. */
    path: z.string(),
    mainRoot: z.string(),
    name: z.string(),
    /** Checked out in `path`; null when HEAD is detached. */
    branch: z.string().nullable(),
    /** What a worktree is cut from when nothing is chosen, in words; null in a repository without a commit. */
    base: z.string().nullable(),
    /** Local branches and those of remotes, the latest commit first. */
    branches: z.array(z.string()),
    /** Names no branch and no worktree yet. */
    freshName: z.string(),
  }),
  z.object({ kind: z.literal("directory"), path: z.string() }),
  /** It cannot be entered, and why. */
  z.object({ kind: z.literal("none"), path: z.string(), reason: z.string() }),
]);
export type DirectoryLook = z.infer<typeof DirectoryLook>;

export const WorktreeNameCheck = z.object({
  /** Where it would be. */
  path: z.string(),
  /** Why it cannot be called that, as the end of a sentence; null when it can. */
  problem: z.string().nullable(),
});

/** What would be lost with a worktree. */
export const WorktreeLook = z.object({
  root: z.string(),
  branch: z.string().nullable(),
  /** False: it is the repository itself, which is never removed. */
  isWorktree: z.boolean(),
  /** Files that differ from the last commit or are in none. */
  changedFiles: z.int(),
  /** Commits that no other branch holds. */
  ownCommits: z.int(),
});
export type WorktreeLook = z.infer<typeof WorktreeLook>;

/** What is being done: origin is asked for its newest, files are checked out, the shell is started, its prompt is waited for. */
export const LaunchStep = z.enum(["fetch", "checkout", "shell", "prompt"]);
export type LaunchStep = z.infer<typeof LaunchStep>;

/** How a conversation whose terminal was closed comes back: what to create. */
export const Reopening = z.object({
  cwd: z.string(),
  run: z.string(),
  intent: z.string().nullable(),
  parentId: TerminalId.nullable(),
});
export type Reopening = z.infer<typeof Reopening>;

/** What became of the first prompt. `failed`: it was not typed, and why. */
export const FirstPromptOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("receipt"), receipt: PromptReceipt }),
  z.object({ kind: z.literal("failed"), reason: z.string() }),
]);
