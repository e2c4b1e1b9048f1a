// One wait under way: it hears of the record and of the output, has both judged at every piece of news, and ends at the
// first of met, timeout, gone, closed, or the caller leaving. Nothing here asks on a clock.

import { isDeepStrictEqual } from "node:util";
import { type Cursor, parseCursor } from "@kolu/contract/attach.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import type { WaitFrame } from "@kolu/contract/padi.ts";
import { isRefusal } from "@kolu/contract/refusals.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { DialFailed } from "@kolu/wire/dial.ts";
import { standingOf } from "../attention/attention.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { TerminalStore } from "../terminals/store.ts";
import { type Beginning, type Feed, openFeed } from "./feed.ts";
import { type Candidate, type Judgement, judge, quietNeeded, type WaitSpec } from "./judge.ts";
import { createOutputLines } from "./output-lines.ts";
import { findLine } from "./pattern.ts";
import { linesOfRows } from "./rows.ts";

/** After a terminal died, its last bytes may still be on their way to us; a match among them counts. */
const LAST_BYTES_MS = 2_000;

export interface WaitWorld {
  store: TerminalStore;
  kaval: KavalLink;
  now(): number;
}

export interface WaitRequest {
  id: WaitFrame["id"];
  spec: WaitSpec;
  pattern: RegExp | null;
  after: Cursor | null;
  /** Lines of screen that the answer carries; null: none. */
  screenTail: number | null;
  /** Null: for ever. */
  timeoutMs: number | null;
}

export class Course {
  readonly #request: WaitRequest;
  readonly #world: WaitWorld;
  readonly #startedAtMs: number;
  readonly #outcome = Promise.withResolvers<WaitFrame>();
  readonly #lines = createOutputLines();
  /** Whether the wait has to hear output at all. */
  readonly #hears: boolean;
  /** Epoch ms of the last byte or input; null until output is being heard. */
  #stirredAtMs: number | null = null;
  /** Everything before this offset has been heard. */
  #heardOffset = 0;
  #matchedLine: string | null = null;
  #feed: Feed | null = null;
  #wakeTimer: NodeJS.Timeout | undefined;
  #deathTimer: NodeJS.Timeout | undefined;
  /** The screen for the answer is being read. */
  #reading = false;
  /** Searches in what is still shown that are under way. */
  #recovering = 0;
  /** The program ended and every byte of it has been heard. */
  #dead = false;
  #ended = false;

  constructor(request: WaitRequest, world: WaitWorld) {
    this.#request = request;
    this.#world = world;
    this.#startedAtMs = world.now();
    this.#hears = request.pattern !== null || quietNeeded(request.spec) > 0;
  }

  /** Call once. Rejects with the signal's reason, `bad-pattern`, or a fault. */
  async run(signal: AbortSignal): Promise<WaitFrame> {
    const { store, kaval } = this.#world;
    const { id, timeoutMs } = this.#request;
    const leave = (): void => this.#outcome.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    const stopListening = store.onChange((changedId, before, after) => {
      if (changedId === id) this.#onRecord(before, after);
    });
    const stopMinding = kaval.onDrop(() => this.#closed("The link to the PTY daemon dropped. Wait again."));
    const timer = timeoutMs === null ? undefined : setTimeout(() => this.#timeout(), timeoutMs);
    try {
      if (signal.aborted) leave();
      this.#begin().catch((error: unknown) => this.#fail(error));
      return await this.#outcome.promise;
    } finally {
      this.#ended = true;
      signal.removeEventListener("abort", leave);
      stopListening();
      stopMinding();
      clearTimeout(timer);
      clearTimeout(this.#wakeTimer);
      clearTimeout(this.#deathTimer);
      this.#feed?.close();
    }
  }

  async #begin(): Promise<void> {
    const { kaval } = this.#world;
    // While kaval is being found again nothing is known to hold: the records are those of before.
    if (kaval.boot() === null) await kaval.call("hello", {});
    this.#look();
    if (this.#hears && !this.#ended) await this.#listen();
  }

  /** From here on output is heard, beginning at what the wait is about. */
  async #listen(): Promise<void> {
    const { kaval } = this.#world;
    const { id, after, pattern } = this.#request;
    const { terminals } = await kaval.call("terminal.list", {});
    const row = terminals.find((terminal) => terminal.id === id);
    // One that ended meanwhile may have printed what is waited for: its bytes can still be had.
    if (!row || row.life === "saved" || (row.life === "ended" && pattern === null)) {
      this.#gone();
      return;
    }
    const { beginning, fromOffset } = whereToBegin(row, kaval.boot(), after, pattern !== null);
    this.#heardOffset = row.offset;
    this.#stirredAtMs = Math.max(row.lastOutputAtMs ?? row.createdAtMs, row.lastInputAtMs ?? 0);
    const feed = await openFeed(kaval.socketPath, id, beginning, {
      onBegin: (offset) => {
        if (offset > this.#heardOffset) this.#stir(offset);
        if (offset > fromOffset) this.#recover(fromOffset);
      },
      onBytes: (offset, bytes) => {
        if (offset + bytes.length > this.#heardOffset) this.#stir(offset + bytes.length);
        const old = Math.max(0, fromOffset - offset);
        if (old < bytes.length) this.#search(bytes.subarray(old));
        this.#look();
      },
      onGap: (offset) => {
        this.#stir(offset);
        this.#lines.reset();
        this.#recover(fromOffset);
        this.#look();
      },
      onExit: () => {
        this.#dead = true;
        this.#look();
      },
      // kaval says so before padi has it from the list of terminals.
      onRemoved: () => this.#gone(),
      onClosed: () => this.#onFeedClosed(),
    });
    if (this.#ended) {
      feed.close();
      return;
    }
    this.#feed = feed;
    this.#look();
  }

  /** Every piece of news leads here. */
  #look(): void {
    clearTimeout(this.#wakeTimer);
    if (this.#reading || this.#ended) return;
    const judgement = this.#judge();
    if (judgement.kind === "met") this.#met(judgement.candidate);
    else if (this.#dead && this.#recovering === 0) this.#gone();
    else if (judgement.againAtMs !== null) {
      const inMs = Math.max(1, Math.ceil(judgement.againAtMs - this.#world.now()));
      this.#wakeTimer = setTimeout(() => this.#look(), inMs);
    }
  }

  #judge(): Judgement {
    const { spec } = this.#request;
    const record = this.#world.store.get(this.#request.id);
    const known = {
      // Until the feed stands, bytes may have come that nobody heard: that is no silence.
      stirredAtMs: this.#feed === null ? null : this.#stirredAtMs,
      standing: record ? standingOf(record) : null,
      matchedLine: this.#matchedLine,
    };
    // A dead terminal is as quiet as it will ever be: what it printed before its end still counts.
    return judge(this.#dead ? { ...spec, settledMs: null } : spec, known, this.#world.now());
  }

  #met(candidate: Candidate): void {
    const { id, screenTail } = this.#request;
    const { kaval, store } = this.#world;
    if (screenTail === null) {
      this.#end(this.#metFrame(candidate, store.get(id), null));
      return;
    }
    this.#reading = true;
    kaval.call("screen.text", { id, extent: { kind: "tail", lines: screenTail } }).then(
      ({ text, cursor }) => this.#onScreen(candidate, text, parseCursor(cursor)?.offset ?? 0),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The screen belongs to the answer only when nothing moved while it was read. */
  #onScreen(candidate: Candidate, text: string, offset: number): void {
    this.#reading = false;
    // It may already hold bytes that the feed is still bringing: they break the silence all the same.
    if (this.#hears && offset > this.#heardOffset) this.#stir(offset);
    const again = this.#judge();
    if (again.kind === "met" && isDeepStrictEqual(again.candidate, candidate))
      this.#end(this.#metFrame(candidate, this.#world.store.get(this.#request.id), text));
    else this.#look();
  }

  #metFrame(candidate: Candidate, record: TerminalRecord | undefined, screen: string | null): WaitFrame {
    const { fired, matchedLine } = candidate;
    return {
      id: this.#request.id,
      result: "met",
      met: {
        fired,
        elapsedMs: this.#elapsedMs(),
        ...(fired === "agent" && record?.agent ? { agent: record.agent } : {}),
        ...(matchedLine === null ? {} : { matchedLine }),
        ...(screen === null ? {} : { screen }),
      },
    };
  }

  #stir(offset: number): void {
    this.#heardOffset = offset;
    this.#stirredAtMs = this.#world.now();
  }

  /** Searches new output; a match stays one whatever follows. */
  #search(bytes: Uint8Array): void {
    if (this.#request.pattern === null || this.#matchedLine !== null) return;
    const { complete, open } = this.#lines.push(bytes);
    this.#searchLines(open === "" ? complete : [...complete, open]);
  }

  /** Output that cannot be had any more is searched where it is still shown: in the scrollback and on the screen. */
  #recover(fromOffset: number): void {
    if (this.#request.pattern === null || this.#matchedLine !== null) return;
    this.#recovering += 1;
    this.#world.kaval
      .call("screen.since", { id: this.#request.id, offset: fromOffset })
      .then(
        ({ rows, cols }) => this.#searchLines(linesOfRows(rows, cols)),
        // An older kaval cannot tell, and one that is gone closes the wait by itself.
        () => {},
      )
      .finally(() => {
        this.#recovering -= 1;
        this.#look();
      });
  }

  #searchLines(lines: string[]): void {
    const { pattern } = this.#request;
    if (pattern === null || this.#matchedLine !== null) return;
    try {
      const line = findLine(pattern, lines);
      if (line !== null) this.#matchedLine = line.trim();
    } catch (error) {
      this.#outcome.reject(error);
    }
  }

  #onRecord(before: TerminalRecord | null, after: TerminalRecord | null): void {
    if (after?.life === "active") {
      if (before?.agent !== after.agent || before?.program !== after.program) this.#look();
      return;
    }
    if (this.#request.pattern === null) this.#gone();
    // Every byte before the end counts: the feed says when it has brought the last one.
    else this.#deathTimer ??= setTimeout(() => this.#gone(), LAST_BYTES_MS);
  }

  #onFeedClosed(): void {
    const standing = this.#world.store.standing(this.#request.id);
    if (standing.kind === "found" && standing.record.life === "active")
      this.#closed("The output of the terminal could not be followed any longer; it lives. Wait again.");
    else this.#gone();
  }

  #elapsedMs(): number {
    return Math.max(0, Math.round(this.#world.now() - this.#startedAtMs));
  }

  #timeout(): void {
    this.#end({ id: this.#request.id, result: "timeout", elapsedMs: this.#elapsedMs() });
  }

  #gone(): void {
    this.#end({ id: this.#request.id, result: "gone", elapsedMs: this.#elapsedMs() });
  }

  #closed(error: string): void {
    this.#end({ id: this.#request.id, result: "closed", error });
  }

  #end(frame: WaitFrame): void {
    this.#outcome.resolve(frame);
  }

  #fail(error: unknown): void {
    if (isRefusal(error, "terminal-not-found")) this.#gone();
    else if (
      error instanceof LinkLost ||
      error instanceof DialFailed ||
      isRefusal(error, "kaval-unreachable")
    )
      this.#closed((error as Error).message);
    else this.#outcome.reject(error);
  }
}

/** Where the feed should begin, and from which offset its bytes count as new. */
function whereToBegin(
  row: KavalTerminal,
  boot: string | null,
  after: Cursor | null,
  searches: boolean,
): { beginning: Beginning; fromOffset: number } {
  const at = (offset: number): Beginning => (boot === null ? [] : [{ boot, offset }]);
  // Silence needs no past: from here on. What comes between the row and the feed is in the ring.
  if (!searches) return { beginning: [...at(row.offset), {}], fromOffset: row.offset };
  if (after === null) return { beginning: [{ from: "last-input" }], fromOffset: row.lastInputOffset ?? 0 };
  // Whatever an earlier kaval had counted: all that this one has is later.
  const fromOffset = after.boot === boot ? after.offset : 0;
  return { beginning: [...at(fromOffset), { from: "last-input" }], fromOffset };
}
