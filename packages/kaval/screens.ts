// The main thread's handle on the worker threads that own the screens: bytes in, facts and text out. Parsing never runs
// on the thread that reads PTYs and feeds viewers.
import type { Extent, KavalNotice, TerminalColors } from "@kolu/contract/kaval.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { CommandFacts } from "@kolu/contract/terminal.ts";

/** What the taps have learnt of one terminal from its output. */
export interface ScreenFacts {
  title: string | null;
  /** From OSC 7, only when the host is this one. */
  cwd: string | null;
  command: CommandFacts | null;
  /** Between a prompt's end and the next command, by the shell's own marks; null when it never marked. */
  promptShown: boolean | null;
  program: ProgramRecord[];
  progress: { state: "normal" | "error" | "indeterminate" | "paused"; value: number | null } | null;
}

export interface ScreenEvents {
  /** Answers to device queries: to be written to the PTY. Never forwarded to a viewer, never asked of one. */
  onReply(id: string, bytes: Uint8Array): void;
  onFacts(id: string, facts: ScreenFacts): void;
  onNotice(id: string, what: KavalNotice["what"]): void;
  /** `bytes` more of this terminal are parsed: the backlog fell. */
  onParsed(id: string, bytes: number): void;
  /** A worker died. Its terminals' screens are rebuilt from their rings; this is for the log. */
  onFault(error: Error): void;
}

export interface OpenScreen {
  id: string;
  cols: number;
  rows: number;
  colors: TerminalColors;
  /** Shell marks count only when they carry it; null accepts no mark (a command-rooted terminal has no shell of ours). */
  markNonce: string | null;
  /** A checkpoint to show above a divider line. */
  resume?: Checkpoint;
}

/** A screen as it goes to disk and comes back. */
export interface Checkpoint {
  cols: number;
  rows: number;
  savedAtMs: number;
  facts: ScreenFacts;
  /** Serialized scrollback and screen. */
  vt: Uint8Array;
}

export interface Screens {
  open(options: OpenScreen): void;
  /** Hands bytes over for parsing, in order. The caller may reuse the buffer afterwards. */
  write(id: string, bytes: Uint8Array): void;
  /** Takes effect after the bytes written before it. */
  resize(id: string, cols: number, rows: number): void;
  setColors(id: string, colors: TerminalColors): void;
  /** Forgets the screen and gives its memory back. */
  close(id: string): void;
  /**
   * Each of these first waits until everything written before the call is parsed. `parsedBytes` is how many bytes had
   * been written when the answer was taken.
   */
  snapshot(
    id: string,
    scrollbackLines: number,
  ): Promise<{ vt: Uint8Array; cols: number; rows: number; parsedBytes: number }>;
  text(
    id: string,
    extent: Extent,
  ): Promise<{ text: string; cols: number; rows: number; parsedBytes: number }>;
  history(
    id: string,
    page: { maxLines: number; before?: number; epoch?: number },
  ): Promise<
    | { kind: "page"; lines: string[]; topLine: number; epoch: number; exhausted: boolean }
    | { kind: "stale"; epoch: number }
  >;
  checkpoint(id: string): Promise<Checkpoint>;
  /** Ends the workers. */
  dispose(): Promise<void>;
}
