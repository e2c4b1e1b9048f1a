// The record of a terminal: what padi knows of it and every face shows.
import { z } from "zod";
import { AgentReading } from "./agent.ts";
import { TerminalId } from "./ids.ts";
import { ProgramRecord } from "./program-status.ts";

/** active: its process lives. sleeping: put away by a person. parked: died with kaval or the machine, waits for restore.
 * exited: its shell ended with a status other than 0 and stays until closed. */
export const Life = z.enum(["active", "sleeping", "parked", "exited"]);
export type Life = z.infer<typeof Life>;

export const Layout = z.object({
  x: z.number(),
  y: z.number(),
  w: z.number().positive(),
  h: z.number().positive(),
});
export type Layout = z.infer<typeof Layout>;

export const GitFacts = z.object({
  /** Root of this worktree. */
  root: z.string(),
  /** Base name of the main repository's root: all worktrees of one repository share it. */
  name: z.string(),
  mainRoot: z.string(),
  /** Null when HEAD is detached. */
  branch: z.string().nullable(),
  /** Short commit, null in a repository without one. */
  head: z.string().nullable(),
  isWorktree: z.boolean(),
  upstream: z.string().nullable(),
  ahead: z.int().nullable(),
  behind: z.int().nullable(),
  /** Null while it is not known yet. */
  dirty: z.boolean().nullable(),
});
export type GitFacts = z.infer<typeof GitFacts>;

/** One check of a pull request; `skipped` neither passes nor fails it. */
export const CheckRun = z.object({
  name: z.string(),
  outcome: z.enum(["pass", "fail", "pending", "skipped"]),
});
export type CheckRun = z.infer<typeof CheckRun>;

export const PullRequest = z.object({
  number: z.int(),
  title: z.string(),
  url: z.string(),
  state: z.enum(["open", "closed", "merged"]),
  isDraft: z.boolean(),
  /** The checks as one: any that failed, else any that still runs, else passed. Null without checks. */
  checks: z.enum(["pass", "fail", "pending"]).nullable(),
  checkRuns: z.array(CheckRun),
});
export type PullRequest = z.infer<typeof PullRequest>;

/** A TCP port on which a process of the terminal listens. */
export const ListeningPort = z.object({
  port: z.int(),
  pid: z.int(),
  /** Short name of the process. */
  name: z.string(),
  /** Who reaches it: every machine, this one alone, or those of one address. */
  scope: z.enum(["any", "loopback", "interface"]),
  family: z.enum(["v4", "v6"]),
});
export type ListeningPort = z.infer<typeof ListeningPort>;

export const PortFacts = z.discriminatedUnion("status", [
  z.object({ status: z.literal("known"), list: z.array(ListeningPort) }),
  /** Not looked yet, or the system does not tell. */
  z.object({ status: z.literal("unknown") }),
]);
export type PortFacts = z.infer<typeof PortFacts>;

export const CommandFacts = z.object({
  line: z.string(),
  running: z.boolean(),
  exitStatus: z.int().nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
});
export type CommandFacts = z.infer<typeof CommandFacts>;

export const ForegroundFacts = z.object({ pid: z.int(), name: z.string() });
export type ForegroundFacts = z.infer<typeof ForegroundFacts>;

export const TerminalRecord = z.object({
  id: TerminalId,
  parentId: TerminalId.nullable(),
  createdAtMs: z.number(),
  life: Life,
  /** Since when this life has lasted. */
  lifeSinceMs: z.number(),
  /** Exit status of an `exited` terminal. */
  exit: z.object({ code: z.int(), signal: z.int() }).nullable(),
  /** Root process of the terminal while it lives. */
  pid: z.int().nullable(),
  cwd: z.string(),
  title: z.string().nullable(),
  intent: z.string().nullable(),
  /** The command that the terminal was created with, when it is no shell. */
  rootCommand: z.array(z.string()).nullable(),
  command: CommandFacts.nullable(),
  foreground: ForegroundFacts.nullable(),
  grid: z.object({ cols: z.int(), rows: z.int() }),
  themeName: z.string().nullable(),
  /** Font size on the page in pixels; null follows the preference. */
  fontPx: z.number().nullable(),
  git: GitFacts.nullable(),
  /** Of the branch, as `gh` tells; null where there is none, and where `gh` is not there or not signed in. */
  pr: PullRequest.nullable().default(null), // An older padi says nothing of it, nor of ports.
  ports: PortFacts.default({ status: "unknown" }),
  agent: AgentReading.nullable(),
  /** A program that reports in band without being a known agent. */
  program: ProgramRecord.nullable(),
  /** OSC 9;4, 0..100; null when none or indeterminate. */
  progress: z.number().nullable(),
  /** Meaningful output flowed within the last second. */
  busy: z.boolean(),
  lastActivityAtMs: z.number().nullable(),
  /** Finished or asked while nobody was looking; grows by one at each, 0 when seen. */
  unread: z.int().min(0),
  layout: Layout.nullable(),
});
export type TerminalRecord = z.infer<typeof TerminalRecord>;

export const Placement = z.discriminatedUnion(
  "kind",
  [
    z.object({ kind: z.literal("toplevel") }),
    z.object({ kind: z.literal("child-of"), parentId: TerminalId }),
  ],
  {
    error: () =>
      'placement is required: {"kind":"toplevel"} for a tile of its own, or {"kind":"child-of","parentId":"<id>"} for a split inside that terminal.',
  },
);
export type Placement = z.infer<typeof Placement>;
