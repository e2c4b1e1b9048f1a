// One wait, from its beginning to the first thing that ends it: met, timeout, gone, closed, or the caller leaving. What
// "met" means is judge.ts; this file keeps the judgement supplied with news and never asks on a clock.

import { isDeepStrictEqual } from "node:util";
import { type Cursor, parseCursor } from "@kolu/contract/attach.ts";
import type { KavalTerminal } from "@kolu/contract/kaval.ts";
import type { PadiContract, WaitFrame } from "@kolu/contract/padi.ts";
import { isRefusal, refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { ParamsOf } from "@kolu/contract/rpc.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { DialFailed } from "@kolu/wire/dial.ts";
import { standingOf } from "../attention/attention.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { TerminalStore } from "../terminals/store.ts";
import { type Beginning, type Feed, openFeed } from "./feed.ts";
import { type Candidate, judge, quietNeeded, type WaitSpec } from "./judge.ts";
import { createOutputLines } from "./output-lines.ts";
import { findLine, parsePattern } from "./pattern.ts";

/** After a terminal died, its last bytes may still be on their way to us; a match among them counts. */
const LAST_BYTES_MS = 2_000;

export interface WaitWorld {
  store: TerminalStore;
  kaval: KavalLink;
  now(): number;
}

export type WaitParams = ParamsOf<PadiContract, "terminal.wait">;

/**
 * Resolves with how the wait ended. Rejects with `terminal-not-found` (an id that never was), `bad-pattern`, `bad-cursor`,
 * or the signal's reason when the caller leaves.
 */
export async function wait(params: WaitParams, world: WaitWorld, signal: AbortSignal): Promise<WaitFrame> {
  const pattern = params.until.kind === "match" ? parsePattern(params.until.pattern) : null;
  const after = params.after === undefined ? null : readCursor(params.after);
  const startedAtMs = world.now();
  const { id } = params;
  const standing = world.store.standing(id);
  if (standing.kind === "unknown") throw terminalNotFound(id);
  if (standing.kind === "gone" || standing.record.life !== "active")
    return { id: standingId(params), result: "gone", elapsedMs: 0 };
  const course = createCourse(params, { world, pattern, after, startedAtMs });
  return course.run(signal);
}

function standingId(params: WaitParams): WaitFrame["id"] {
  return params.id as WaitFrame["id"];
}

function readCursor(text: string): Cursor {
  const cursor = parseCursor(text);
  if (cursor) return cursor;
  throw refuse("bad-cursor", { cursor: text }, "This is no cursor. Pass back one that a send returned.");
}

interface CourseContext {
  world: WaitWorld;
  pattern: RegExp | null;
  after: Cursor | null;
  startedAtMs: number;
}

/** One wait under way. */
function createCourse(
  params: WaitParams,
  context: CourseContext,
): { run(signal: AbortSignal): Promise<WaitFrame> } {
  const { world, pattern, after, startedAtMs } = context;
  const { store, kaval, now } = world;
  const id = standingId(params);
  const outcome = Promise.withResolvers<WaitFrame>();
  const lines = createOutputLines();
  const spec: WaitSpec = {
    until: params.until,
    settledMs: params.settledMs ?? null,
    // Of a cursor from an earlier kaval everything that is heard now is later; its clock still holds.
    afterMs: after?.atMs ?? null,
  };
  const hears = spec.until.kind === "match" || quietNeeded(spec) > 0;
  /** Null until output is being heard. */
  let stirredAtMs: number | null = null;
  let heardOffset = 0;
  let matchedLine: string | null = null;
  let feed: Feed | null = null;
  let wakeTimer: NodeJS.Timeout | undefined;
  let reading = false;
  let dying = false;
  let ended = false;

  const elapsedMs = (): number => Math.max(0, Math.round(now() - startedAtMs));
  const end = (frame: WaitFrame): void => outcome.resolve(frame);
  const gone = (): void => end({ id, result: "gone", elapsedMs: elapsedMs() });
  const closed = (error: string): void => end({ id, result: "closed", error });

  const known = () => {
    const record = store.get(id);
    return { stirredAtMs, standing: record ? standingOf(record) : null, matchedLine };
  };

  /** Looks at what is known now; every piece of news leads here. */
  function look(): void {
    clearTimeout(wakeTimer);
    if (reading || ended) return;
    // A dead terminal is as quiet as it will ever be: what it printed before its end still counts.
    const judgement = judge(dying ? { ...spec, settledMs: null } : spec, known(), now());
    if (judgement.kind === "met") return met(judgement.candidate);
    if (dying) return gone();
    if (judgement.againAtMs !== null)
      wakeTimer = setTimeout(look, Math.max(1, Math.ceil(judgement.againAtMs - now())));
  }

  function met(candidate: Candidate): void {
    const record = store.get(id);
    if (params.screenTail === undefined) return end(metFrame(candidate, record, undefined));
    reading = true;
    const readFromOffset = heardOffset;
    kaval.call("screen.text", { id, extent: { kind: "tail", lines: params.screenTail } }).then(
      ({ text, cursor }) => {
        reading = false;
        const readTo = parseCursor(cursor)?.offset ?? 0;
        // The screen may already hold bytes that the feed is still bringing: they break the silence all the same.
        if (hears && quietNeeded(spec) > 0 && readTo > readFromOffset) stir(readTo);
        const again = judge(dying ? { ...spec, settledMs: null } : spec, known(), now());
        if (again.kind === "met" && isDeepStrictEqual(again.candidate, candidate))
          return end(metFrame(candidate, store.get(id) ?? record, text));
        look();
      },
      (error: unknown) => {
        reading = false;
        if (isRefusal(error, "terminal-not-found")) gone();
        else if (isLinkTrouble(error)) closed(String((error as Error).message));
        else outcome.reject(error);
      },
    );
  }

  function metFrame(
    candidate: Candidate,
    record: TerminalRecord | undefined,
    screen: string | undefined,
  ): WaitFrame {
    return {
      id,
      result: "met",
      met: {
        fired: candidate.fired,
        elapsedMs: elapsedMs(),
        ...(candidate.fired === "agent" && record?.agent ? { agent: record.agent } : {}),
        ...(candidate.matchedLine === null ? {} : { matchedLine: candidate.matchedLine }),
        ...(screen === undefined ? {} : { screen }),
      },
    };
  }

  function stir(offset: number): void {
    heardOffset = Math.max(heardOffset, offset);
    stirredAtMs = now();
  }

  /** Searches new output; a match stays one whatever follows. */
  function search(bytes: Uint8Array): void {
    if (pattern === null || matchedLine !== null) return;
    const { complete, open } = lines.push(bytes);
    try {
      const found = findLine(pattern, open === "" ? complete : [...complete, open]);
      if (found !== null) matchedLine = found.trim();
    } catch (error) {
      outcome.reject(error);
    }
  }

  /** From here on output is heard, beginning at what the wait is about. */
  async function listen(): Promise<void> {
    const row = (await kaval.call("terminal.list", {})).terminals.find((terminal) => terminal.id === id);
    if (!row || row.life !== "live") return gone();
    const { beginning, fromOffset } = whereToBegin(row, kaval.boot(), after, pattern !== null);
    heardOffset = row.offset;
    const opened = await openFeed(kaval.socketPath, id, beginning, {
      onBegin(offset) {
        if (offset > heardOffset) stir(offset);
      },
      onBytes(offset, bytes) {
        if (offset + bytes.length > heardOffset) stir(offset + bytes.length);
        const skip = Math.max(0, fromOffset - offset);
        if (skip < bytes.length) search(bytes.subarray(skip));
        look();
      },
      onGap(offset, screen) {
        stir(offset);
        lines.reset();
        search(screen);
        look();
      },
      onExit() {
        dying = true;
        look();
      },
      onClosed: () => void onFeedClosed(),
    });
    if (ended) return opened.close();
    feed = opened;
    stirredAtMs ??= Math.max(row.lastOutputAtMs ?? row.createdAtMs, row.lastInputAtMs ?? 0);
    look();
  }

  /** The feed ended although nobody told us of an exit: only kaval knows whether the terminal lives. */
  async function onFeedClosed(): Promise<void> {
    const standing = store.standing(id);
    if (standing.kind !== "found" || standing.record.life !== "active") return gone();
    closed("The output feed of the terminal dropped; the terminal lives. Wait again.");
  }

  function onDeath(): void {
    if (pattern === null || matchedLine !== null) return gone();
    // Every byte before the end counts: the feed says when it has brought the last one.
    setTimeout(gone, LAST_BYTES_MS).unref();
  }

  async function run(signal: AbortSignal): Promise<WaitFrame> {
    const leave = (): void => outcome.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    const unsubscribe = store.onChange((changedId, before, record) => {
      if (changedId !== id) return;
      if (!record || record.life !== "active") onDeath();
      else if (before?.agent !== record.agent || before?.program !== record.program) look();
    });
    const undrop = kaval.onDrop(() =>
      closed("The link to the PTY daemon dropped; terminals that outlive it can be waited on again."),
    );
    const timer =
      params.timeoutMs === undefined
        ? undefined
        : setTimeout(() => end({ id, result: "timeout", elapsedMs: elapsedMs() }), params.timeoutMs);
    try {
      if (signal.aborted) leave();
      begin().catch(onBeginFailed);
      return await outcome.promise;
    } finally {
      ended = true;
      signal.removeEventListener("abort", leave);
      unsubscribe();
      undrop();
      clearTimeout(timer);
      clearTimeout(wakeTimer);
      (feed as Feed | null)?.close();
    }
  }

  async function begin(): Promise<void> {
    // While kaval is being found again nothing is known to hold: the records are those of before.
    if (kaval.boot() === null) await kaval.call("hello", {});
    look();
    if (hears && !ended) await listen();
  }

  function onBeginFailed(error: unknown): void {
    if (isRefusal(error, "terminal-not-found")) gone();
    else if (isLinkTrouble(error)) closed(String((error as Error).message));
    else outcome.reject(error);
  }

  return { run };
}

function isLinkTrouble(error: unknown): boolean {
  return error instanceof LinkLost || error instanceof DialFailed || isRefusal(error, "kaval-unreachable");
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
  const lastInput = row.lastInputOffset ?? 0;
  if (after === null) return { beginning: [{ from: "last-input" }], fromOffset: lastInput };
  const fromOffset = after.boot === boot ? after.offset : 0;
  return { beginning: [...at(fromOffset), { from: "last-input" }], fromOffset };
}
