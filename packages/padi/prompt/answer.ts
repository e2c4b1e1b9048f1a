// Answering a dialog: the text goes in, and Enter follows only once it stands there and is still asked for: an Enter that
// comes late would answer whatever is asked next, or submit somebody's draft.
import type { AnswerParams, AnswerReceipt } from "@kolu/contract/answer.ts";
import { keyBytes } from "@kolu/contract/keys.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { nextWake } from "../cell.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { Follow } from "../terminals/follow.ts";
import { encodeInput } from "../terminals/input.ts";
import type { TerminalStore } from "../terminals/store.ts";

/** Silence for this long after the text: it has been taken in ... */
const QUIET_MS = 200;
/** ... or this much time, because a screen with a clock is never silent. */
const QUIET_PATIENCE_MS = 2_000;
/** A dialog that has not closed by then is said to be still there. */
const ANSWER_PATIENCE_MS = 4_000;

export interface AnswerWorld {
  store: TerminalStore;
  follow: Follow;
  kaval: KavalLink;
  now(): number;
}

/** Which question a record stands at; null when it asks nothing. What becomes known of a question later does not make it
 * another one. Pure. */
function questionOf({ agent, program }: TerminalRecord): string | null {
  if (agent) return agent.bucket === "awaiting" ? `agent ${agent.sinceMs}` : null;
  return program?.state === "blocked" ? `program ${program.kind} ${program.message}` : null;
}

/** Rejects with `nothing-asked`, with those of `encodeInput`, and with `terminal-gone`. */
export async function answerTerminal(
  { id, text, key }: AnswerParams,
  { store, follow, kaval, now }: AnswerWorld,
  signal: AbortSignal,
): Promise<AnswerReceipt> {
  const asked = questionOf(store.require(id));
  if (asked === null)
    throw refuse("nothing-asked", { id }, "This terminal asks nothing (any more): send it a prompt instead.");
  const digit = key !== undefined && /^\d$/.test(key);
  const { bytes } = encodeInput(digit ? { text: key } : { text, key });
  const wakes = new Set<() => void>();
  const wake = (): void => {
    for (const done of [...wakes]) done();
  };
  const stops = [store.onChange((changed) => changed === id && wake()), follow.onRow(id, wake)];

  const question = (): string | null => {
    const record = store.require(id);
    if (record.life !== "active")
      throw refuse("terminal-gone", { id }, `The terminal ${id} ended meanwhile.`);
    return questionOf(record);
  };
  /** Until this time, or something moved. */
  const pause = (untilMs: number): Promise<void> =>
    nextWake(wakes, AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - now())))]));

  /** True when the text has settled with the same question standing. */
  async function settled(typedAtMs: number): Promise<boolean> {
    for (;;) {
      signal.throwIfAborted();
      if (question() !== asked) return false;
      const quietAtMs = Math.min(
        Math.max(typedAtMs, follow.row(id)?.lastOutputAtMs ?? 0) + QUIET_MS,
        typedAtMs + QUIET_PATIENCE_MS,
      );
      if (now() >= quietAtMs) return true;
      await pause(quietAtMs);
    }
  }

  try {
    await kaval.call("terminal.input", { id, text: bytes }, { signal });
    const entered = text !== undefined && (await settled(now()));
    if (entered) await kaval.call("terminal.input", { id, text: keyBytes("Enter")! }, { signal });
    const giveUpAtMs = now() + ANSWER_PATIENCE_MS;
    while (question() === asked && now() < giveUpAtMs) {
      signal.throwIfAborted();
      await pause(giveUpAtMs);
    }
    const left = question();
    const outcome = left === null ? "answered" : left === asked ? "still-asks" : "asks-again";
    return { id, outcome, entered };
  } finally {
    for (const stop of stops) stop();
  }
}
