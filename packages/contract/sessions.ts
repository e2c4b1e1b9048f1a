// Putting terminals to sleep and bringing them back: what is asked, what was held back, how far a restore has come.
import { z } from "zod";
import { TerminalId } from "./ids.ts";

/** Why a terminal is not put to sleep unasked: what would be lost. */
export const SleepHold = z.enum([
  /** Its agent is at work, or nobody knows whether it is. */
  "working",
  /** Its agent asks a person something. */
  "asks",
  /** Its agent would not come back on the same conversation. */
  "no-way-back",
  /** Something that is not started again runs in it. */
  "runs",
  /** Its shell has ended already. */
  "ended",
  /** The processes could not be ended, or the screen not be kept. */
  "failed",
]);
export type SleepHold = z.infer<typeof SleepHold>;

export const SleepParams = z.object({
  ids: z.array(TerminalId).min(1),
  /** Also where something would be lost. */
  force: z.boolean().optional(),
});

export const SleepResult = z.object({
  slept: z.array(TerminalId),
  /** Left as they were, each with a sentence for a person. */
  kept: z.array(z.object({ id: TerminalId, why: SleepHold, sentence: z.string() })),
});
export type SleepResult = z.infer<typeof SleepResult>;

export const RestoreParams = z.object({
  ids: z.array(TerminalId).optional(),
  /** Of these only the shell comes back, without its agent. */
  shellOnlyIds: z.array(TerminalId).optional(),
});
export type RestoreParams = z.infer<typeof RestoreParams>;

/** What a restore would do with one terminal. */
export const RestorePlanRow = z.object({
  id: TerminalId,
  /** The agent that comes back, and on what: exactly its conversation, the newest one of its directory where nobody knows
   * which was meant, or none because nothing had been said in it. Null: a shell comes back. */
  agent: z
    .object({ kind: z.string(), on: z.enum(["conversation", "newest", "fresh"]), line: z.string() })
    .nullable(),
  /** The agent that was there and cannot be brought back. */
  lostAgent: z.string().nullable(),
  /** What ran and is not started again. */
  notRerun: z.string().nullable(),
});
export type RestorePlanRow = z.infer<typeof RestorePlanRow>;

/** How far one terminal has come. `left`: a person called the rest off before its turn. */
export const RestoreStep = z.enum(["queued", "starting", "shell", "agent", "done", "failed", "left"]);
export type RestoreStep = z.infer<typeof RestoreStep>;

export const RestoreRow = z.object({
  id: TerminalId,
  step: RestoreStep,
  /** Why it failed, in words for a person, with what to do. */
  reason: z.string().nullable(),
  /** A command line that mends it: installs what is missing, or starts the agent by hand. */
  mend: z.string().nullable(),
});
export type RestoreRow = z.infer<typeof RestoreRow>;

/** The restore that is under way, or the last one until it is dismissed. Every page sees the same. */
export const RestoreProgress = z.object({ rows: z.array(RestoreRow) });
export type RestoreProgress = z.infer<typeof RestoreProgress>;

export function isUnderWay({ step }: Pick<RestoreRow, "step">): boolean {
  return step === "queued" || step === "starting" || step === "shell" || step === "agent";
}
