// The interface that an agent fulfils. Everything else in the kernel is written against it; nothing in it names an agent.
import type { AgentState, BackgroundWork, ExplainedSignal, SignalSource } from "@kolu/contract/agent.ts";
import type { ProgramRecord } from "@kolu/contract/program-status.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";
import type { SessionClaim } from "./arbiter.ts";
import type { Invocation } from "./command-line.ts";
import type { ProcessEntry, ProcessFacts } from "./process-tree.ts";
import type { AgentVocab } from "./vocab.ts";
import type { FileWatch } from "./watch.ts";

/** A session that a terminal's agent may be in. */
export interface Candidate extends SessionClaim {
  /** The process that the session names, when it names one. */
  process: ProcessEntry | null;
  /** Where its files are, in the adapter's own terms; the kernel only hands it back. */
  locator: string;
}

export interface SessionSearch {
  /** The foreground group's tree, nearest first. */
  chain: readonly ProcessEntry[];
  /** The agent's own process among them, when a name told it. */
  agent: ProcessEntry | null;
  invocation: Invocation | null;
  /** The terminal's directory, as its shell last told. */
  cwd: string;
  /** Where the agent's process works: a line may go there first (`cd x && agent`). Absent where it is not known. */
  processCwd?: string | null;
  processes: ProcessFacts;
  /** The agent's own in-band records. What it said last, and when, may tell which session it has just moved to. */
  inBand?: readonly ProgramRecord[];
  /** The title that was set since the agent came to the foreground, and while it is there: it may name the session. */
  title?: string | null;
  /** What the agent's recogniser finds on the screen now. Costs a rendering: for when it tells sessions apart. Never rejects. */
  readScreen?(): Promise<ScreenFinding | null>;
  /** What this terminal is bound to, as it was last offered. */
  bound?: Candidate | null;
}

export interface SessionsFound {
  /** Best first. */
  candidates: Candidate[];
  /** What was looked for and not found, as sentences that name the path. */
  missing: string[];
  /** Files or directories whose change is a reason to look again. */
  watchPaths: string[];
}

/** What shows that an agent may have gone on to another session while its process lives, as with `/new` or a picker. */
export type MoveSign =
  /** A change of what its searches ask to be watched. */
  | "files"
  /** A word of its own in band. */
  | "in-band"
  /** A new title. */
  | "title";

/** Signals that reach an agent's session from outside its files. */
export interface LiveSignals {
  /** The agent's own OSC 7501 records; empty while it is not the foreground program. */
  inBand: readonly ProgramRecord[];
  /** The terminal's title, null while the agent is not the foreground program. */
  title: string | null;
  /** What a recogniser of the plugin found on the live screen; null when it was not read or nothing was found. */
  screen: ScreenFinding | null;
  nowMs: number;
}

export interface ScreenFinding {
  /** The recogniser's name. */
  name: string;
  state: Exclude<AgentState, "unknown">;
  awaiting: { kind: string; message: string | null } | null;
  /** What it shows to run behind the turn; absent where it shows no such thing. */
  background?: BackgroundWork;
}

/** What a session says now. Every fact that the agent does not record is null. */
export interface SessionReport {
  state: AgentState;
  source: SignalSource;
  /** Epoch milliseconds of the deciding signal. */
  atMs: number | null;
  awaiting: { kind: string; message: string | null } | null;
  unknownReason: string | null;
  error: string | null;
  sessionId: string | null;
  sessionPath: string | null;
  version: string | null;
  model: string | null;
  contextTokens: number | null;
  title: string | null;
  todos: { completed: number; total: number } | null;
  background: BackgroundWork;
  startedAtMs: number | null;
  prompted: boolean;
  signals: ExplainedSignal[];
  missing: string[];
  malformedRecords: number;
  /** The files and in-band words leave room for a dialog that only the screen shows: it is worth reading. */
  wantsScreen: boolean;
  /** Time alone will change it: ask again after this long. Null: only news will. */
  holdsForMs: number | null;
}

export interface AgentSession {
  /** Pure over what has been read so far and the signals given. */
  report(live: LiveSignals): SessionReport;
  /** Looks at every file now rather than at the next notice. Never rejects. */
  refresh(): Promise<void>;
  close(): void;
}

export interface SessionHost {
  files: FileWatch;
  /** The files said something new: ask for a report. */
  changed(): void;
  log(message: string, cause?: unknown): void;
}

/** A conversation by what a reading tells of it. */
export interface ConversationReference {
  sessionId: string;
  /** The reading's `sessionPath`; null when the agent does not tell. */
  sessionPath: string | null;
}

/** What stands in an agent's composer, where a person types the next prompt. */
export interface Composer {
  /** As it is shown; "" when it is empty, also when greyed words stand in it. */
  draft: string;
  /** It is a mark for a long paste and nothing else: what it stands for cannot be compared with what was typed. */
  folded: boolean;
  /** More of it is out of sight, beyond one of its ends. Absent: nobody can tell, or none is. */
  clipped?: boolean;
}

export interface AgentPlugin {
  readonly vocab: AgentVocab;
  /** Environment variables of kolu's own that point it at other places, such as a test's. */
  readonly envKeys: readonly string[];
  /**
   * Its process may go on to another session, and this is what shows it. At each sign the session is searched for again, also
   * where it was certain, and the latest search says where the agent is: it leaves what is not offered again. A search that
   * offers nothing leaves it where it was. Absent: a session that was found for certain lasts as long as the process.
   */
  readonly moveSigns?: readonly MoveSign[];
  /** Many conversations lie in the one file that a reading's `sessionPath` names: its size says nothing about one of them. */
  readonly sharesOneFile?: boolean;
  /** Sessions for one terminal. Never rejects: what could not be read is a sentence in `missing`. */
  find(search: SessionSearch): Promise<SessionsFound>;
  /** Follows one session; its first report may come before anything was read. */
  open(candidate: Candidate, host: SessionHost): AgentSession;
  /** Looks for a dialog of this agent at the live bottom of a rendered screen. Pure. */
  readScreen(text: string): ScreenFinding | null;
  /**
   * Finds the composer on a rendered screen; null while nothing can be typed into it, as under a dialog. Pure. An agent
   * without this is prompted all the same, but a draft of somebody else is not seen.
   */
  readComposer?(text: string): Composer | null;
  /**
   * The key that leaves a paste of this text as it was typed, where this screen asks what to do with that very paste; else
   * null. Absent: the agent never asks. Pure.
   */
  keyForPaste?(screen: string, text: string): string | null;
  /** The whole conversation, read once. Null when its files are not there (any more). Rejects when they cannot be read. */
  readTranscript(reference: ConversationReference): Promise<Transcript | null>;
}
