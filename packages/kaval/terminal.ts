// One terminal: a PTY, the ring of its output, its screen in a worker, its viewers. Output goes to ring and viewers at
// once and to the screen in batches; when the screen cannot keep up it is the program that waits, nobody else.
import { formatCursor } from "@kolu/contract/attach.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { Extent, KavalTerminal, TerminalColors } from "@kolu/contract/kaval.ts";
import { INPUT_QUEUE_MAX_BYTES, RING_BUSY_BYTES, RING_REST_BYTES } from "@kolu/contract/limits.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import { ForegroundWatch } from "./foreground.ts";
import { type Grid, GridLog, sameGrid } from "./grid.ts";
import { OutputPace } from "./output-pace.ts";
import { type Pty, type PtyExit, spawnPty } from "./pty.ts";
import { PublishPace } from "./publish-pace.ts";
import { Ring } from "./ring.ts";
import { ScreenLink } from "./screen-link.ts";
import type { Checkpoint, ScreenFacts, Screens } from "./screens.ts";
import type { Snapshot } from "./viewer-flow.ts";
import { Viewers, type ViewersOwner } from "./viewers.ts";

/** Output that the screen has not parsed: above the first the program is made to wait, below the second it goes on. */
const PAUSE_ABOVE_BYTES = 512 * 1024;
const RESUME_BELOW_BYTES = 128 * 1024;
/** Output kept for viewers that wait for a snapshot; beyond it the program waits too. */
const PINNED_MAX_BYTES = 2 * 1024 * 1024;
/** Quiet for this long, the ring and the last frame go back to their size at rest. */
const REST_AFTER_MS = 3_000;
/** After a resize programs repaint: output that soon is no activity. */
const REPAINT_MS = 600;
/** A shell that was given marks shows its first within this time, or it never will (its startup file became another). */
const FIRST_MARK_MS = 5_000;

export interface TerminalStart extends Grid {
  id: TerminalId;
  /** What the row says was started. */
  argv: string[];
  commandRooted: boolean;
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  colors: TerminalColors;
  /** The shell's marks carry it; null when there is no shell of ours in it. */
  markNonce: string | null;
  resume?: Checkpoint;
}

export interface TerminalOwner {
  readonly boot: string;
  readonly screens: Screens;
  /** The row is to be published. */
  rowChanged(id: TerminalId): void;
  /** The screen differs from what is on disk. */
  screenChanged(id: TerminalId): void;
  /** The process is gone, after its last byte. */
  ended(id: TerminalId): void;
}

const NO_FACTS: ScreenFacts = {
  title: null,
  cwd: null,
  command: null,
  promptShown: null,
  program: [],
  progress: null,
};

export class Terminal implements ViewersOwner {
  readonly id: TerminalId;
  readonly ring = new Ring(RING_REST_BYTES);
  readonly grids: GridLog;
  readonly viewers: Viewers;
  exit: (PtyExit & { atMs: number }) | null = null;
  lastInputOffset: number | null = null;

  #owner: TerminalOwner;
  #start: Omit<TerminalStart, "resume">;
  #createdAtMs = Date.now();
  #pty: Pty;
  #screen: ScreenLink;
  #foreground: ForegroundWatch;
  #pace: PublishPace;
  #facts: ScreenFacts;
  #lastOutputAtMs: number | null = null;
  #lastInputAtMs: number | null = null;
  #resizedAtMs = -Infinity;
  #seenForeground = "";

  #paused = false;
  #outputPace = new OutputPace(() => this.flush());
  #restTimer: NodeJS.Timeout;
  #ringIsBusy = false;
  /** After a refused input the next ones are refused too until there is ample room, so that a burst keeps its order. */
  #inputStalled = false;

  /** Throws when the kernel has no pty or no process to give. */
  constructor({ resume, ...start }: TerminalStart, owner: TerminalOwner) {
    this.id = start.id;
    this.#start = start;
    this.#owner = owner;
    this.#facts = resume ? { ...NO_FACTS, title: resume.facts.title } : NO_FACTS;
    this.grids = new GridLog(start);
    this.viewers = new Viewers(this);
    this.#pace = new PublishPace(() => owner.rowChanged(start.id));
    this.#screen = this.#openScreen(resume);
    try {
      this.#pty = spawnPty(start, {
        onOutput: (bytes) => this.#output(bytes),
        onExit: (exit) => this.#ended(exit),
        onInputTaken: () => this.#pace.input(),
      });
    } catch (error) {
      this.#screen.close();
      throw error;
    }
    this.#foreground = new ForegroundWatch(
      this.#pty.pid,
      () => this.#atPrompt(),
      () => this.#looked(),
    );
    this.#restTimer = setTimeout(() => this.#rest(), REST_AFTER_MS);
    this.#restTimer.unref();
    // A terminal that never says a word is to be known after a crash all the same.
    owner.screenChanged(start.id);
  }

  get boot(): string {
    return this.#owner.boot;
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get queuedBytes(): number {
    return this.#pty.queuedBytes;
  }

  row(): KavalTerminal {
    const { cols, rows } = this.grids.current;
    const facts = this.#facts;
    return {
      id: this.id,
      life: this.exit ? "ended" : "live",
      pid: this.exit ? null : this.pid,
      argv: this.#start.argv,
      commandRooted: this.#start.commandRooted,
      cols,
      rows,
      createdAtMs: this.#createdAtMs,
      offset: this.ring.end,
      exit: this.exit,
      cwd: facts.cwd ?? this.#start.cwd,
      title: facts.title,
      command: facts.command,
      foregroundPid: this.exit ? null : this.#foreground.group,
      atPrompt: this.#atPrompt(),
      program: facts.program,
      progress: facts.progress,
      lastOutputAtMs: this.#lastOutputAtMs,
      lastInputAtMs: this.#lastInputAtMs,
      lastInputOffset: this.lastInputOffset,
      inputQueuedBytes: this.queuedBytes,
      viewers: this.viewers.count,
    };
  }

  // What callers and viewers do to it

  /** Queues what somebody typed; false when the program has ended or does not read and the queue is full. */
  input(bytes: Uint8Array): boolean {
    if (this.exit) return false;
    if (this.#inputStalled && this.queuedBytes > INPUT_QUEUE_MAX_BYTES / 2) return false;
    this.#inputStalled = !this.#pty.write(bytes);
    if (this.#inputStalled) return false;
    this.#lastInputAtMs = Date.now();
    this.lastInputOffset = this.ring.end;
    this.#screen.mark();
    this.#pace.input();
    return true;
  }

  /** The same for callers of the RPC: throws what they are refused with. */
  inputText(text: string): { bytes: number; cursor: string; queuedBytes: number } {
    this.assertLive();
    const bytes = Buffer.from(text, "utf8");
    if (!this.input(bytes)) {
      const data = { id: this.id, queuedBytes: this.queuedBytes, limitBytes: INPUT_QUEUE_MAX_BYTES };
      throw refuse(
        "input-queue-full",
        data,
        `The program in ${this.id} does not read its input: ${data.queuedBytes} bytes wait already. Look at its screen, or interrupt it.`,
      );
    }
    const cursor = formatCursor({ boot: this.boot, offset: this.ring.end, atMs: this.#lastInputAtMs! });
    return { bytes: bytes.length, cursor, queuedBytes: this.queuedBytes };
  }

  assertLive(): void {
    if (this.exit)
      throw refuse(
        "terminal-not-live",
        { id: this.id, life: "ended" },
        `The program in ${this.id} has ended.`,
      );
  }

  /** Gives the terminal a grid, on behalf of the viewer whose turn it is. */
  applyGrid(grid: Grid): void {
    if (this.exit || sameGrid(grid, this.grids.current)) return;
    this.flush();
    this.#resizedAtMs = Date.now();
    this.#pty.resize(grid.cols, grid.rows);
    this.#screen.resize(grid);
    this.grids.add(this.ring.end, grid);
    this.viewers.pump();
    this.#owner.screenChanged(this.id);
    this.#pace.fact();
  }

  /** Gives it a grid whoever looks. */
  resize(grid: Grid): void {
    this.assertLive();
    this.viewers.gridSetOutright();
    this.applyGrid(grid);
  }

  setColors(colors: TerminalColors): void {
    this.#screen.setColors(colors);
  }

  viewersChanged(): void {
    this.#pace.fact();
  }

  // What is read from it

  async snapshot(scrollbackLines: number): Promise<Snapshot> {
    this.flush();
    const unpin = this.ring.pin(this.ring.end);
    const release = (): void => {
      unpin();
      this.#balance();
    };
    try {
      const { vt, cols, rows, parsedBytes } = await this.#owner.screens.snapshot(this.id, scrollbackLines);
      return { vt, cols, rows, offset: this.#screen.offsetOf(parsedBytes), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async text(extent: Extent): Promise<{ text: string; cols: number; rows: number; cursor: string }> {
    this.flush();
    const { text, cols, rows, parsedBytes } = await this.#owner.screens.text(this.id, extent);
    const cursor = formatCursor({
      boot: this.boot,
      offset: this.#screen.offsetOf(parsedBytes),
      atMs: Date.now(),
    });
    return { text, cols, rows, cursor };
  }

  /** Rows of what was printed since an input, a resize or a text that was read at this offset. */
  since(offset: number): Promise<{ rows: string[]; cols: number }> {
    this.flush();
    return this.#owner.screens.since(this.id, this.#screen.countAt(offset));
  }

  history(page: Parameters<Screens["history"]>[1]): ReturnType<Screens["history"]> {
    this.flush();
    return this.#owner.screens.history(this.id, page);
  }

  checkpoint(): Promise<Checkpoint> {
    this.flush();
    return this.#owner.screens.checkpoint(this.id);
  }

  // What the screen's worker says

  onReply(bytes: Uint8Array): void {
    // An answer to a program that does not read its input would only grow the queue: it may be lost.
    if (!this.exit) this.#pty.write(bytes);
  }

  onFacts(facts: ScreenFacts): void {
    const before = this.#facts;
    this.#facts = facts;
    if (!this.exit) {
      if (facts.title !== before.title) this.#foreground.titleChanged();
      const marked =
        facts.promptShown !== before.promptShown ||
        facts.command?.startedAtMs !== before.command?.startedAtMs ||
        facts.command?.running !== before.command?.running;
      if (marked) this.#foreground.commandMarked();
    }
    this.#pace.fact();
  }

  onParsed(bytes: number): void {
    this.#screen.onParsed(bytes);
    this.#balance();
  }

  /** The worker that had the screen is gone, and the screen with it. */
  screenLost(): void {
    this.#screen.lost(this.#facts);
    this.#balance();
  }

  /** Sends on what was gathered: whoever asks for text first sees every byte received. */
  flush(): void {
    const { ring } = this;
    if (this.#screen.fed === ring.end) return;
    this.viewers.pump();
    this.#screen.feed();
    this.grids.prune(ring.start);
    this.#owner.screenChanged(this.id);
    this.#balance();
  }

  /** Lets go of everything; a process that is still there has its terminal hung up. */
  close(code: number, reason: string): void {
    this.viewers.closeAll(code, reason);
    this.#stopTimers();
    this.#pty.close();
    this.#screen.close();
  }

  #openScreen(resume: Checkpoint | undefined): ScreenLink {
    const { id, colors, markNonce } = this.#start;
    const options = {
      screens: this.#owner.screens,
      id,
      colors,
      markNonce,
      ring: this.ring,
      grid: () => this.grids.current,
      onRebuilt: () => this.#balance(),
    };
    return new ScreenLink(options, resume);
  }

  #output(bytes: Uint8Array): void {
    if (!this.#ringIsBusy && this.viewers.count > 0) {
      this.#ringIsBusy = true;
      this.ring.setLimit(RING_BUSY_BYTES);
    }
    this.ring.append(bytes);
    this.#restTimer.refresh();
    const now = Date.now();
    if (now - this.#resizedAtMs > REPAINT_MS) this.#lastOutputAtMs = now;
    if (!this.#outputPace.received(bytes.length)) return;
    this.#foreground.outputSeen();
    this.#pace.output();
  }

  /** Makes the program wait while its screen or a snapshot is behind, and lets it go on. */
  #balance(): void {
    const unparsed = this.#screen.unparsedBytes;
    const pinned = this.ring.pinnedBytes;
    if (this.exit) return;
    if (!this.#paused && (unparsed > PAUSE_ABOVE_BYTES || pinned > PINNED_MAX_BYTES)) {
      this.#paused = true;
      this.#pty.pause();
    } else if (this.#paused && unparsed < RESUME_BELOW_BYTES && pinned <= PINNED_MAX_BYTES / 2) {
      this.#paused = false;
      this.#pty.resume();
    }
  }

  #rest(): void {
    this.#ringIsBusy = false;
    this.ring.setLimit(RING_REST_BYTES);
    this.viewers.rest();
  }

  #ended(exit: PtyExit): void {
    this.exit = { ...exit, atMs: Date.now() };
    this.flush();
    this.viewers.pump();
    this.#foreground.stop();
    this.#owner.screenChanged(this.id);
    this.#pace.fact();
    this.#owner.ended(this.id);
  }

  /** The foreground was looked at: news, perhaps, of who has the terminal and whether that is a prompt. */
  #looked(): void {
    const news = `${this.#foreground.group} ${this.#atPrompt()}`;
    if (news === this.#seenForeground) return;
    this.#seenForeground = news;
    this.#pace.fact();
  }

  #stopTimers(): void {
    this.#foreground.stop();
    this.#pace.stop();
    clearTimeout(this.#restTimer);
    this.#outputPace.stop();
  }

  #atPrompt(): boolean {
    if (this.exit || this.#start.commandRooted) return false;
    const group = this.#foreground.group;
    if (group !== null && group !== this.pid) return false;
    const { promptShown } = this.#facts;
    if (promptShown !== null) return promptShown;
    // A shell without marks is at its prompt once it has said something; one with marks will say so itself.
    if (this.#start.markNonce === null) return this.ring.end > 0;
    return Date.now() - this.#createdAtMs > FIRST_MARK_MS;
  }
}
