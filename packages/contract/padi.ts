// What padi answers on /rpc: the workspace. Every face speaks this and nothing else.
import { z } from "zod";
import { AgentReading, Bucket, Explanation } from "./agent.ts";
import { AnswerParams, AnswerReceipt } from "./answer.ts";
import { TerminalId } from "./ids.ts";
import { Extent, KavalNotice } from "./kaval.ts";
import {
  Directory,
  DirectoryLook,
  FirstPromptOutcome,
  LaunchChoices,
  LaunchStep,
  Recents,
  Reopening,
  WorktreeLook,
  WorktreeNameCheck,
} from "./launch.ts";
import { TIMER_MAX_MS } from "./limits.ts";
import { LiveViewSince, liveViewItem } from "./live-view.ts";
import { PictureParams, PictureResult } from "./picture.ts";
import { Preferences } from "./preferences.ts";
import {
  FsBytes,
  FsDirectory,
  FsDirectoryParams,
  FsList,
  FsListParams,
  FsLocate,
  FsLocateParams,
  FsRead,
  FsReadParams,
  GitDiff,
  GitDiffParams,
  GitStatus,
  GitStatusParams,
  ProjectNews,
  ProjectWatchParams,
} from "./project.ts";
import { PromptParams, PromptReceipt } from "./prompt.ts";
import { call, stream } from "./rpc.ts";
import { SearchParams, SearchResult, SearchStep, SearchStepsParams } from "./search.ts";
import { RestoreParams, RestorePlanRow, RestoreProgress, SleepParams, SleepResult } from "./sessions.ts";
import { Layout, Placement, TerminalRecord } from "./terminal.ts";
import { ReadTranscript, TranscriptReadParams } from "./transcript.ts";
import { UploadBegin, UploadBegun, UploadEnd, UploadPiece, UploadState } from "./upload.ts";
import { Hello } from "./version.ts";
import { WatchFrame, WatchName, WatchNextParams, WatchOpened, WatchOpenParams } from "./watch.ts";
import { Backup, BroughtIn, WorkspaceFile } from "./workspace.ts";

const ById = z.object({ id: TerminalId });
const TimerMs = z.int().min(1).max(TIMER_MAX_MS);

export const Worktree = z.object({
  path: z.string(),
  branch: z.string(),
  /** What it was cut from, when that is not the newest default branch of origin. */
  note: z.string().optional(),
});
export type Worktree = z.infer<typeof Worktree>;

/** A wish for a tile's place, in canvas pixels. */
export const TilePlace = z.object({
  /** Near this tile; absent: near `at`, or near all others. */
  besideId: TerminalId.optional(),
  at: z.object({ x: z.number(), y: z.number() }).optional(),
  /** Absent: that of the tile beside it, else the usual one. */
  size: z.object({ w: z.number().positive(), h: z.number().positive() }).optional(),
});
export type TilePlace = z.infer<typeof TilePlace>;

export const CreateParams = z.object({
  placement: Placement,
  cwd: z.string().optional(),
  /** Absolute path of a repository, with `worktree`. */
  repo: z.string().optional(),
  /** Name of a fresh worktree at <repo>/.worktrees/<name>, on a new branch of that name. */
  worktree: z.string().optional(),
  /** The branch that the worktree is cut from; absent: the newest default branch of origin. */
  base: z.string().optional(),
  intent: z.string().optional(),
  /** Typed at the first shell prompt, then Enter. */
  run: z.string().optional(),
  /** A root process instead of a shell. */
  argv: z.array(z.string()).optional(),
  /** The terminal that it is made from (the active one of a page, the one that a caller runs in): what it may inherit its
   * theme from. One that is not there counts as none. */
  from: z.string().optional(),
  /** Where its tile should stand; padi finds a free place in any case. */
  place: TilePlace.optional(),
  cols: z.int().optional(),
  rows: z.int().optional(),
});
export type CreateParams = z.infer<typeof CreateParams>;

export const CreateResult = z.object({
  id: TerminalId,
  pid: z.int(),
  worktree: Worktree.optional(),
  ran: z.string().optional(),
});

export const LaunchParams = CreateParams.extend({
  /** Given to the agent that `run` starts, as soon as it is ready for one. */
  firstPrompt: z.string().optional(),
});
export type LaunchParams = z.infer<typeof LaunchParams>;

export const LaunchFrame = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("step"), step: LaunchStep }),
  /** It stands, and nothing takes it back any more. */
  z.object({ kind: z.literal("made"), made: CreateResult }),
  /** Last, where there was a prompt to give. */
  z.object({ kind: z.literal("prompted"), outcome: FirstPromptOutcome }),
]);
export type LaunchFrame = z.infer<typeof LaunchFrame>;

/** What a wait waits for. */
export const WaitCondition = z.discriminatedUnion("kind", [
  /** No output byte for this long. */
  z.object({ kind: z.literal("idle"), idleMs: TimerMs }),
  /** A line of new output matches. Without `after`: what came since the terminal's last input. */
  z.object({ kind: z.literal("match"), pattern: z.string().min(1) }),
  /** The agent is in one of these buckets. */
  z.object({ kind: z.literal("agent"), buckets: z.array(Bucket).min(1) }),
]);
export type WaitCondition = z.infer<typeof WaitCondition>;

/** How a wait ended. `closed` is a dropped feed over a live terminal: retry. Only `gone` means that it died. */
export const WaitFrame = z.discriminatedUnion("result", [
  z.object({
    id: TerminalId,
    result: z.literal("met"),
    met: z.object({
      fired: z.enum(["idle", "match", "agent"]),
      elapsedMs: z.int(),
      agent: AgentReading.optional(),
      matchedLine: z.string().optional(),
      screen: z.string().optional(),
    }),
  }),
  z.object({ id: TerminalId, result: z.literal("timeout"), elapsedMs: z.int() }),
  z.object({ id: TerminalId, result: z.literal("gone"), elapsedMs: z.int() }),
  z.object({ id: TerminalId, result: z.literal("closed"), error: z.string().optional() }),
]);
export type WaitFrame = z.infer<typeof WaitFrame>;

export const SendResult = z.object({
  sent: z.union([z.object({ key: z.string() }), z.object({ textBytes: z.int(), pasted: z.boolean() })]),
  /** Give it to a wait as `after`. */
  cursor: z.string(),
});

/** padi's own condition and its link to kaval. */
export const DaemonStatus = z.object({
  padi: Hello,
  kaval: z.discriminatedUnion("state", [
    z.object({ state: z.literal("connecting") }),
    z.object({ state: z.literal("connected"), hello: Hello, adopted: z.boolean(), sinceMs: z.number() }),
    z.object({ state: z.literal("incompatible"), daemonVersion: z.string(), requiredVersion: z.string() }),
    z.object({ state: z.literal("down"), error: z.string(), sinceMs: z.number() }),
  ]),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

export const Urgency = z.object({
  awaitingIds: z.array(TerminalId),
  finishedIds: z.array(TerminalId),
  workingIds: z.array(TerminalId),
  lingerIds: z.array(TerminalId),
});
export type Urgency = z.infer<typeof Urgency>;

export const padiContract = {
  hello: call(z.object({}), Hello),
  /** Flush and exit; terminals stay in kaval. */
  drain: call(z.object({ reason: z.string() }), z.object({})),
  "status.watch": stream(z.object({}), DaemonStatus),
  stats: call(
    z.object({}),
    z.object({ rssBytes: z.int(), kavalRssBytes: z.int().nullable(), clients: z.int() }),
  ),

  "terminals.watch": stream(z.object({ since: LiveViewSince }), liveViewItem(TerminalRecord)),
  "terminals.list": call(
    z.object({
      /** Wait until each terminal's first facts are in, at most this long. */
      settleMs: z.int().min(0).max(10_000).optional(),
    }),
    z.object({ terminals: z.array(TerminalRecord) }),
  ),
  "urgency.watch": stream(z.object({}), Urgency),
  /** Bells, notifications and clipboard writes as they happen; nothing from before the call. */
  "notices.watch": stream(z.object({}), KavalNotice),

  "terminal.create": call(CreateParams, CreateResult),
  "terminal.sendInput": call(
    z.object({
      id: TerminalId,
      text: z.string().optional(),
      key: z.string().optional(),
      /** Bracketed paste: by default only for text of several lines. */
      paste: z.boolean().optional(),
    }),
    SendResult,
  ),
  /** Ends the process (where one lives) and removes the record. */
  "terminal.kill": call(
    ById,
    z.object({
      id: TerminalId,
      pid: z.int().nullable(),
      survivors: z.array(z.int()),
      /** Absent: no conversation ended with it that could be brought back. */
      reopen: Reopening.optional(),
    }),
  ),
  "terminal.wait": call(
    z.object({
      id: TerminalId,
      until: WaitCondition,
      settledMs: TimerMs.optional(),
      screenTail: z.int().min(1).optional(),
      timeoutMs: TimerMs.optional(),
      after: z.string().optional(),
    }),
    WaitFrame,
  ),
  /** Types, lets it settle, submits, and confirms: see prompt.ts. */
  "terminal.prompt": call(PromptParams, PromptReceipt),
  /** Answers what an agent or a program asks in a terminal, and tells whether it asks on. Refuses with `nothing-asked`. */
  "terminal.answer": call(AnswerParams, AnswerReceipt),
  "terminal.explain": call(ById, Explanation),
  /** The conversation of the terminal's agent, also of one that is parked; where no agent is, the one that was there last.
   * Refuses with `no-agent`, `no-transcript`, `transcript-too-large`. */
  "transcript.read": call(TranscriptReadParams, ReadTranscript),
  /** Puts terminals away: their processes end, their screens and conversations are kept. Where something would be lost a
   * terminal is kept as it is unless `force` says otherwise. Refuses with `terminal-not-found`. */
  "terminal.sleep": call(SleepParams, SleepResult),
  /** What a restore would do, for the named terminals or for every parked one. */
  "restore.plan": call(
    z.object({ ids: z.array(TerminalId).optional() }),
    z.object({ rows: z.array(RestorePlanRow) }),
  ),
  "restore.watch": stream(z.object({}), RestoreProgress),
  /** Calls off what has not begun; what has begun goes on. */
  "restore.cancel": call(z.object({}), z.object({})),
  /** Forgets what is said of a restore that is over. */
  "restore.dismiss": call(z.object({}), z.object({})),
  /** Brings parked and sleeping terminals back under their ids. Absent ids: all that are parked. Answers when the shells
   * run; `restore.watch` tells of the agents. */
  "terminal.restore": call(
    RestoreParams,
    z.object({
      restored: z.array(TerminalId),
      failed: z.array(z.object({ id: TerminalId, reason: z.string() })),
    }),
  ),

  "screen.text": call(
    z.object({ id: TerminalId, extent: Extent }),
    z.object({ text: z.string(), cursor: z.string() }),
  ),
  "screen.history": call(
    z.object({
      id: TerminalId,
      maxLines: z.int().min(1),
      before: z.int().min(0).optional(),
      epoch: z.int().min(0).optional(),
    }),
    z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("page"),
        lines: z.array(z.string()),
        topLine: z.int(),
        epoch: z.int(),
        exhausted: z.boolean(),
      }),
      z.object({ kind: z.literal("stale"), epoch: z.int() }),
    ]),
  ),

  /** The screen as a PNG in the terminal's colours. */
  "screen.image": call(PictureParams, PictureResult),

  // Watch subscriptions: named queues that outlive their clients and padi.
  "watch.open": call(WatchOpenParams, WatchOpened),
  /** Answers as soon as there is anything to hand over. */
  "watch.next": call(WatchNextParams, WatchFrame),
  "watch.close": call(z.object({ name: WatchName }), z.object({})),

  // The directories and repositories of live terminals, and nothing else.
  "git.status": call(GitStatusParams, GitStatus),
  "git.diff": call(GitDiffParams, GitDiff),
  "fs.list": call(FsListParams, FsList),
  "fs.readFile": call(FsReadParams, FsRead),
  "fs.readBytes": call(FsReadParams, FsBytes),
  "fs.listDirectory": call(FsDirectoryParams, FsDirectory),
  /** Files or git changed, or may have: look again. */
  "project.watch": stream(ProjectWatchParams, ProjectNews),
  "fs.locate": call(FsLocateParams, FsLocate),
  "search.text": call(SearchParams, SearchResult),
  /** The same terminal by terminal, as each has been read. */
  "search.steps": stream(SearchStepsParams, SearchStep),

  // Making terminals by hand. Not in an agent's reach either.
  "recents.watch": stream(z.object({}), Recents),
  "launch.choices": call(z.object({}), LaunchChoices),
  /** Directories that a typed path may go on to. */
  "directory.complete": call(
    z.object({ typed: z.string() }),
    z.object({ directories: z.array(Directory), truncated: z.boolean() }),
  ),
  "directory.look": call(z.object({ path: z.string() }), DirectoryLook),
  "worktree.checkName": call(z.object({ repo: z.string(), name: z.string() }), WorktreeNameCheck),
  /** Refuses with `not-a-repo` and `git-failed`. */
  "worktree.look": call(z.object({ path: z.string() }), WorktreeLook),
  /** The worktree and its branch. Refuses with `worktree-kept` unless forced. */
  "worktree.remove": call(z.object({ path: z.string(), force: z.boolean() }), z.object({})),
  /** `terminal.create`, told step by step. Whoever leaves before it is made has it taken back. */
  "terminal.launch": stream(LaunchParams, LaunchFrame),

  // The workspace as a whole. Every call that changes it makes a backup of the moment before, and names it.
  "backups.list": call(z.object({}), z.object({ backups: z.array(Backup) })),
  /** Terminals that a backup has and the workspace has not come back as parked; those that both have get its arrangement
   * and labels. Nothing that runs is touched. `forget`: also removes these, where no process lives: the way back from an
   * earlier call. Refuses with `backup-not-found` or `backup-unreadable`. */
  "backups.restore": call(z.object({ name: z.string(), forget: z.array(TerminalId).optional() }), BroughtIn),
  /** Forgets terminals that have no process. Restoring `snapshot` is the way back. */
  "workspace.startFresh": call(
    z.object({ ids: z.array(TerminalId).min(1) }),
    z.object({ snapshot: z.string(), forgot: z.array(TerminalId) }),
  ),
  "workspace.export": call(z.object({}), WorkspaceFile),
  /** Adds what an exported file holds, asleep, beside what is here. Refuses with `not-a-workspace`. */
  "workspace.import": call(z.object({ text: z.string() }), BroughtIn),

  // A file from a page. Refuses with `too-large`, `terminal-not-live`, `uploads-full`, `upload-not-found`.
  "upload.begin": call(UploadBegin, UploadBegun),
  "upload.piece": call(UploadPiece, UploadState),
  /** Gives it up: nothing of it stays. */
  "upload.abandon": call(UploadEnd, z.object({})),

  // The canvas. Not in an agent's reach: verbs.ts leaves these out.
  "layout.set": call(
    z.object({ layouts: z.array(z.object({ id: TerminalId, layout: Layout })) }),
    z.object({}),
  ),
  "terminal.setIntent": call(z.object({ id: TerminalId, intent: z.string().nullable() }), z.object({})),
  "terminal.setParent": call(z.object({ id: TerminalId, parentId: TerminalId.nullable() }), z.object({})),
  "terminal.setTheme": call(z.object({ id: TerminalId, themeName: z.string().nullable() }), z.object({})),
  "terminal.setFont": call(
    z.object({ id: TerminalId, fontPx: z.number().min(6).max(40).nullable() }),
    z.object({}),
  ),
  /** Somebody looks at this terminal: clears unread. */
  "terminal.markSeen": call(ById, z.object({})),
  "preferences.watch": stream(z.object({}), Preferences),
  "preferences.set": call(Preferences.partial(), z.object({})),
} as const;
export type PadiContract = typeof padiContract;
