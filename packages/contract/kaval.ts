// What kaval answers on /rpc. kaval owns PTYs and their screens and knows nothing else. This wire outlives upgrades:
// add members and optional fields, never change what is here.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { GRID_MAX_COLS, GRID_MAX_ROWS, GRID_MIN } from "./limits.ts";
import { ProgramRecord } from "./program-status.ts";
import { call, stream } from "./rpc.ts";
import { CommandFacts } from "./terminal.ts";
import { Hello } from "./version.ts";

export const Cols = z.int().min(GRID_MIN).max(GRID_MAX_COLS);
export const Rows = z.int().min(GRID_MIN).max(GRID_MAX_ROWS);

/** Everything that kaval knows of one terminal apart from its bytes. */
export const KavalTerminal = z.object({
  id: TerminalId,
  /** live: the process runs. ended: it exited and the screen stays readable until removed. saved: only a checkpoint of an
   * earlier kaval is left. */
  life: z.enum(["live", "ended", "saved"]),
  pid: z.int().nullable(),
  /** What was started: a shell's path, or the command's argv. */
  argv: z.array(z.string()),
  commandRooted: z.boolean(),
  cols: z.int(),
  rows: z.int(),
  createdAtMs: z.number(),
  /** Bytes of output so far. */
  offset: z.int(),
  exit: z.object({ code: z.int(), signal: z.int(), atMs: z.number() }).nullable(),
  cwd: z.string(),
  title: z.string().nullable(),
  command: CommandFacts.nullable(),
  /** Foreground process group of the tty (`tpgid`), null when unknown. */
  foregroundPid: z.int().nullable(),
  /** True while the foreground is the shell itself: at a prompt. Never for a command-rooted terminal. */
  atPrompt: z.boolean(),
  program: z.array(ProgramRecord),
  progress: z
    .object({ state: z.enum(["normal", "error", "indeterminate", "paused"]), value: z.number().nullable() })
    .nullable(),
  /** Last meaningful output (repaints after a resize excluded), epoch ms. */
  lastOutputAtMs: z.number().nullable(),
  lastInputAtMs: z.number().nullable(),
  lastInputOffset: z.int().nullable(),
  /** Input bytes that the program has not read yet. */
  inputQueuedBytes: z.int(),
  viewers: z.int(),
});
export type KavalTerminal = z.infer<typeof KavalTerminal>;

/** A moment that is no lasting fact. */
export const KavalNotice = z.object({
  id: TerminalId,
  atMs: z.number(),
  what: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("bell") }),
    z.object({ kind: z.literal("notification"), title: z.string().nullable(), body: z.string() }),
    z.object({ kind: z.literal("clipboard"), text: z.string() }),
  ]),
});
export type KavalNotice = z.infer<typeof KavalNotice>;

export const KavalWatchItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("snapshot"), boot: z.string(), terminals: z.array(KavalTerminal) }),
  /** The whole row again: latest wins, several changes may fold into one. Exit is a change to life "ended". */
  z.object({ kind: z.literal("changed"), terminal: KavalTerminal }),
  z.object({ kind: z.literal("removed"), id: TerminalId }),
  z.object({ kind: z.literal("notice"), notice: KavalNotice }),
]);
export type KavalWatchItem = z.infer<typeof KavalWatchItem>;

export const Extent = z.discriminatedUnion("kind", [
  /** Scrollback and screen. */
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("screen") }),
  /** The last N lines after the trailing run of blank ones is dropped. */
  z.object({ kind: z.literal("tail"), lines: z.int().min(1) }),
]);
export type Extent = z.infer<typeof Extent>;

const ById = z.object({ id: TerminalId });

/** Theme colours that OSC 10, 11 and 12 queries are answered with, as #rrggbb. */
export const TerminalColors = z.object({
  foreground: z.string(),
  background: z.string(),
  cursor: z.string(),
});
export type TerminalColors = z.infer<typeof TerminalColors>;

export const kavalContract = {
  hello: call(z.object({}), Hello),
  /** Resource use of this daemon. */
  stats: call(
    z.object({}),
    z.object({
      rssBytes: z.int(),
      terminals: z.int(),
      viewers: z.int(),
      openDescriptors: z.int().nullable(),
    }),
  ),

  "terminal.spawn": call(
    z.object({
      id: TerminalId.optional(),
      /** Absent: the user's shell, with integration. Given: that command is the root process. */
      argv: z.array(z.string()).optional(),
      /** Another shell than the user's, by path; only without argv. */
      shell: z.string().optional(),
      cwd: z.string().optional(),
      /** Added to the clean base environment. */
      env: z.record(z.string(), z.string()).optional(),
      /** Directories put first on PATH, and put there again after the user's dotfiles. */
      pathEntries: z.array(z.string()).optional(),
      cols: Cols.optional(),
      rows: Rows.optional(),
      colors: TerminalColors.optional(),
      /** Bring back the saved screen of this id above a divider. */
      resumeScreen: z.boolean().optional(),
    }),
    z.object({ id: TerminalId, pid: z.int(), cwd: z.string() }),
  ),
  /** HUP, TERM, KILL over the whole tree; answers when the process is gone or cannot be killed. Removes the terminal. */
  "terminal.kill": call(
    ById,
    z.object({ id: TerminalId, pid: z.int().nullable(), survivors: z.array(z.int()) }),
  ),
  /** Ends the processes like `terminal.kill`, but keeps the terminal as a saved one, with the screen as it was before. */
  "terminal.putAway": call(
    ById,
    z.object({ id: TerminalId, pid: z.int().nullable(), survivors: z.array(z.int()) }),
  ),
  /** Forgets an ended or saved terminal and its checkpoint. */
  "terminal.remove": call(ById, z.object({})),
  /** Answers once the bytes are in the PTY's queue. `queuedBytes`: how much still waits there. */
  "terminal.input": call(
    z.object({ id: TerminalId, text: z.string() }),
    z.object({ bytes: z.int(), cursor: z.string(), queuedBytes: z.int() }),
  ),
  "terminal.resize": call(z.object({ id: TerminalId, cols: Cols, rows: Rows }), z.object({})),
  "terminal.setColors": call(z.object({ id: TerminalId, colors: TerminalColors }), z.object({})),
  "terminal.list": call(z.object({}), z.object({ boot: z.string(), terminals: z.array(KavalTerminal) })),
  "terminal.watch": stream(z.object({}), KavalWatchItem),

  /** Rendered text. Everything received before the call is in it. */
  "screen.text": call(
    z.object({ id: TerminalId, extent: Extent }),
    z.object({ text: z.string(), cursor: z.string(), cols: z.int(), rows: z.int() }),
  ),
  /**
   * What was printed since this offset and is still shown, as rows of `cols` columns. Exact from an offset at which something
   * was typed or a text was read; from another, it begins at the next of those.
   */
  "screen.since": call(
    z.object({ id: TerminalId, offset: z.int().min(0) }),
    z.object({ rows: z.array(z.string()), cols: z.int() }),
  ),
  /** Scrollback above the screen, paged backwards by absolute line number. `stale`: a reflow moved the lines. */
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
        /** Absolute number of the first line of this page; pass it back as `before` for the page above. */
        topLine: z.int(),
        epoch: z.int(),
        exhausted: z.boolean(),
      }),
      z.object({ kind: z.literal("stale"), epoch: z.int() }),
    ]),
  ),
  /** Writes every dirty screen to disk now. */
  "checkpoint.flush": call(z.object({}), z.object({ written: z.int() })),
} as const;
export type KavalContract = typeof kavalContract;
