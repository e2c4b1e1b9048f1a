// Who needs a person, and what a person has not seen yet. Pure: one terminal's attention follows from its record and the
// time; watch.ts keeps the clock.
import { type Bucket, bucketOf } from "@kolu/contract/agent.ts";
import type { Urgency } from "@kolu/contract/padi.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";

/** A turn counts as finished after this long without meaningful output: until then the agent may go on by itself. */
export const FINISHED_AFTER_MS = 5_000;

/** Exactly one for each live terminal; `none` has no agent, or one that says nothing about its turns. */
export type AttentionClass = "awaiting" | "working" | "linger" | "finished" | "none";

export interface Attention {
  class: AttentionClass;
  /** False until the first reading after a start of padi: that one alerts nobody. */
  seeded: boolean;
}

export const UNSEEDED: Attention = { class: "none", seeded: false };
/** A terminal made under our eyes: its first reading is news. */
export const SEEDED: Attention = { class: "none", seeded: true };

/** What an agent, or a program that reports in band, amounts to for a person. */
export interface Standing {
  bucket: Bucket;
  sinceMs: number;
  /** It ended a turn, as opposed to never having had one. */
  turned: boolean;
}

/** Null when nothing runs that has a state, or its state is unknown. */
export function standingOf(record: TerminalRecord): Standing | null {
  if (record.life !== "active") return null;
  const { agent, program } = record;
  if (agent) {
    const bucket = bucketOf(agent.state);
    return bucket && { bucket, sinceMs: agent.sinceMs, turned: agent.prompted };
  }
  if (!program) return null;
  const sinceMs = program.updatedAtMs;
  switch (program.state) {
    case "blocked":
      return { bucket: "awaiting", sinceMs, turned: true };
    case "working":
      return { bucket: "working", sinceMs, turned: true };
    case "done":
    case "error":
      return { bucket: "waiting", sinceMs, turned: true };
    case "idle":
      return { bucket: "waiting", sinceMs, turned: false };
    default:
      return program.state satisfies never;
  }
}

export interface AttentionInput {
  record: TerminalRecord;
  /** kaval's word, finer than the record's stamp. */
  lastOutputAtMs: number | null;
  /** False for an agent whose files say nothing about turns: it is never finished, unread or alerting. */
  reportsTurns: boolean;
  nowMs: number;
}

export interface AttentionStep {
  attention: Attention;
  /** One more thing that a person has not seen. */
  unread: boolean;
  /** It works again, so somebody dealt with what it had asked or finished: nothing is left to be seen. */
  handled: boolean;
  /** When to look again without any news, epoch ms; null: only on news. */
  againAtMs: number | null;
}

/** The next attention; the same object when nothing changed. */
export function stepAttention(before: Attention, input: AttentionInput): AttentionStep {
  const { to, againAtMs } = classify(before, input);
  const seeded = before.seeded || to !== "none";
  const attention = to === before.class && seeded === before.seeded ? before : { class: to, seeded };
  const quietStart = !before.seeded;
  const asked = to === "awaiting" && before.class !== "awaiting";
  // An answered question that ends the turn is the end of the same episode, already told.
  const finished = to === "finished" && before.class !== "finished" && before.class !== "awaiting";
  const handled = to === "working" && (before.class === "awaiting" || before.class === "finished");
  return { attention, unread: !quietStart && (asked || finished), handled, againAtMs };
}

function classify(
  before: Attention,
  input: AttentionInput,
): { to: AttentionClass; againAtMs: number | null } {
  const { record, lastOutputAtMs, reportsTurns, nowMs } = input;
  const standing = standingOf(record);
  if (standing === null || !reportsTurns) return { to: "none", againAtMs: null };
  switch (standing.bucket) {
    case "awaiting":
      return { to: "awaiting", againAtMs: null };
    case "working":
      return { to: "working", againAtMs: null };
    case "waiting": {
      if (!standing.turned) return { to: "none", againAtMs: null };
      // Once finished it stays so until it leaves `waiting`: a prompt that repaints is still a prompt.
      if (before.class === "finished" || !before.seeded) return { to: "finished", againAtMs: null };
      const quietAtMs = Math.max(standing.sinceMs, lastOutputAtMs ?? 0) + FINISHED_AFTER_MS;
      return nowMs >= quietAtMs
        ? { to: "finished", againAtMs: null }
        : { to: "linger", againAtMs: quietAtMs };
    }
    default:
      return standing.bucket satisfies never;
  }
}

/** The lists that every face shows, in the order of the given terminals. */
export function urgencyOf(classes: Iterable<[id: string, AttentionClass]>): Urgency {
  const urgency = { awaitingIds: [], finishedIds: [], workingIds: [], lingerIds: [] } as Record<
    keyof Urgency,
    string[]
  >;
  for (const [id, kind] of classes) if (kind !== "none") urgency[`${kind}Ids`].push(id);
  return urgency as Urgency;
}
