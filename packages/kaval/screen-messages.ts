// What the main thread and a screen worker say to each other. Screens are named by number, a new one at every open, so
// that a late word about a closed screen is never taken for one about its successor.
import type { Extent, KavalNotice, TerminalColors } from "@kolu/contract/kaval.ts";
import type { HistoryPage } from "@kolu/screen/scrollback.ts";
import type { Checkpoint, ScreenFacts } from "./screens.ts";

export interface WorkerStart {
  hostname: string;
  version: string;
}

export type Question =
  | { kind: "snapshot"; scrollbackLines: number }
  | { kind: "text"; extent: Extent }
  | { kind: "since"; parsedBytes: number }
  | { kind: "history"; page: { maxLines: number; before?: number; epoch?: number } }
  | { kind: "checkpoint" };

export interface Answers {
  snapshot: { vt: Uint8Array; cols: number; rows: number; parsedBytes: number };
  text: { text: string; cols: number; rows: number; parsedBytes: number };
  since: { rows: string[]; cols: number };
  history: HistoryPage;
  checkpoint: Checkpoint;
}

export interface OpenMessage {
  kind: "open";
  screen: number;
  cols: number;
  rows: number;
  colors: TerminalColors;
  markNonce: string | null;
  resume: { checkpoint: Checkpoint; as: "restored" | "as-is" } | null;
  replay: { bytes: Uint8Array; facts: ScreenFacts } | null;
}

/** Things that happen to one screen in the order in which they were said. */
export type Work =
  | { kind: "write"; screen: number; bytes: Uint8Array }
  | { kind: "resize"; screen: number; cols: number; rows: number }
  /** What comes from here on can be asked for by its place. */
  | { kind: "place"; screen: number }
  | { kind: "colors"; screen: number; colors: TerminalColors }
  | { kind: "ask"; screen: number; ticket: number; question: Question };

export type ToWorker = OpenMessage | Work | { kind: "close"; screen: number };

export type FromWorker =
  | { kind: "parsed"; screen: number; bytes: number }
  | { kind: "reply"; screen: number; text: string }
  | { kind: "facts"; screen: number; facts: ScreenFacts }
  | { kind: "notice"; screen: number; what: KavalNotice["what"] }
  | { kind: "answer"; screen: number; ticket: number; answer: Answers[keyof Answers] }
  /** The question could not be answered: a bug of ours or of the emulator. */
  | { kind: "failed"; screen: number; ticket: number; error: Error }
  /** The emulator failed on some output; the screen goes on. */
  | { kind: "fault"; screen: number; error: Error };
