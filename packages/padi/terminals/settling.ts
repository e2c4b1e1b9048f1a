// When enough is known of every terminal to show it to somebody who asks once.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { nextWake } from "../cell.ts";

/** An agent that runs is found within this long of its terminal; about one without an agent the detector is silent. */
const DETECTION_MS = 500;

export interface Settling {
  /** Resolves when the records are in step with kaval for the first time since padi's start, or the patience is over. */
  whenMet(patienceMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the first facts of every live terminal are in, or the patience is over. */
  whenSettled(patienceMs: number, signal: AbortSignal): Promise<void>;
}

export interface SettlingNotes extends Settling {
  /** The records are in step with kaval. */
  noteMet(): void;
  /** kaval told of this terminal. */
  noteRow(id: string): void;
  /** git has said what it knows of the terminal's directory, be it nothing. */
  noteGit(id: string): void;
  /** Something else became known, such as an agent. */
  noteNews(): void;
  forget(id: string): void;
}

export function createSettling(world: {
  all(): TerminalRecord[];
  atPrompt(id: string): boolean;
  now(): number;
}): SettlingNotes {
  const { all, atPrompt, now } = world;
  const firstRowAtMs = new Map<string, number>();
  const gitKnown = new Set<string>();
  const waiting = new Set<() => void>();
  let met = false;

  const wake = (): void => {
    for (const done of waiting) done();
  };

  function isSettled(record: TerminalRecord): boolean {
    if (record.life !== "active") return true;
    const sinceMs = firstRowAtMs.get(record.id);
    if (sinceMs === undefined || !gitKnown.has(record.id)) return false;
    return atPrompt(record.id) || record.agent !== null || now() - sinceMs >= DETECTION_MS;
  }

  return {
    async whenMet(patienceMs, signal) {
      const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), signal]);
      while (!met && !patience.aborted) await nextWake(waiting, patience);
    },
    async whenSettled(patienceMs, signal) {
      const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), signal]);
      while (!patience.aborted && !(met && all().every(isSettled))) {
        const recheck = setTimeout(wake, DETECTION_MS);
        await nextWake(waiting, patience);
        clearTimeout(recheck);
      }
    },
    noteMet() {
      met = true;
      wake();
    },
    noteRow(id) {
      if (firstRowAtMs.has(id)) return;
      firstRowAtMs.set(id, now());
      wake();
    },
    noteGit(id) {
      gitKnown.add(id);
      wake();
    },
    noteNews: wake,
    forget(id) {
      firstRowAtMs.delete(id);
      gitKnown.delete(id);
    },
  };
}
