// Watch subscriptions: one named queue over many terminals, kept by padi for a client that comes and goes.
import { z } from "zod";
import { Bucket } from "./agent.ts";
import { TerminalId } from "./ids.ts";
import { TIMER_MAX_MS, WATCH_NAME_MAX_CHARS } from "./limits.ts";

export const WatchName = z
  .string()
  .min(1)
  .max(WATCH_NAME_MAX_CHARS)
  .describe("The subscription's name, chosen by you. The same name reattaches.");

const TimerMs = z.int().min(1).max(TIMER_MAX_MS);

export const WatchOpenParams = z.object({
  name: WatchName,
  ids: z
    .array(TerminalId)
    .optional()
    .describe("Only these terminals. Better left out: a list goes blind to the terminal it does not name."),
  states: z
    .array(Bucket)
    .min(1)
    .optional()
    .describe("Report terminals that are in one of these states; awaiting and waiting when left out."),
  heldForMs: z
    .int()
    .min(0)
    .max(TIMER_MAX_MS)
    .optional()
    .describe("Report only when the state has held this long."),
  nagMs: TimerMs.optional().describe("Report again each time this long passes while the state still holds."),
  ignoreIds: z
    .array(TerminalId)
    .optional()
    .describe("Mute these terminals. An id that means nothing (any more) mutes nothing."),
  ignoreSelf: z.boolean().optional().describe("Mute the terminal that the caller itself runs in."),
  /** Thrown away when nobody has asked for this long; a week when left out. */
  keepMs: TimerMs.optional(),
  /** KAVAL_TERMINAL_ID as the face found it in its own environment; only read with `ignoreSelf`. */
  callerTerminalId: z.string().optional(),
});
export type WatchOpenParams = z.infer<typeof WatchOpenParams>;

export const WatchOpened = z.object({
  name: z.string(),
  /** Every event up to this `seq` is acknowledged. */
  acknowledged: z.int(),
  /** The subscription was there already, and asks the same question: its queue was kept. */
  reattached: z.boolean(),
});

const told = {
  /** Grows with every event of this state root, padi's restarts included: an event that comes twice has the same. */
  seq: z.int(),
  id: TerminalId,
  /** Epoch milliseconds. */
  at: z.number(),
  parentId: TerminalId.optional(),
  intent: z.string().optional(),
};

/** What happened, for a subscription without state knobs. */
export const SettleEvent = z.object({ ...told, kind: z.enum(["asking", "finished", "gone"]) });
export type SettleEvent = z.infer<typeof SettleEvent>;

/** How a terminal stands, for a subscription with state knobs. */
export const StateEvent = z.object({
  ...told,
  kind: z.enum(["snapshot", "transition", "nag"]),
  state: Bucket,
  /** Epoch milliseconds since which it has been in that state: `at - since` is how long. */
  since: z.number(),
});
export type StateEvent = z.infer<typeof StateEvent>;

export const WatchEvent = z.union([StateEvent, SettleEvent]);
export type WatchEvent = z.infer<typeof WatchEvent>;

export const WatchNextParams = z.object({
  name: WatchName,
  after: z
    .int()
    .min(0)
    .optional()
    .describe("The `ackAfter` of the batch before: that batch has arrived and need not come again."),
  timeoutMs: TimerMs.optional().describe(
    "Give up after this long; nothing is lost. Keep it below your own host's limit for one call.",
  ),
});

export type WatchNextParams = z.infer<typeof WatchNextParams>;

/** Neither `timeout` nor `closed` loses anything: the queue is still there at the next call. */
export const WatchFrame = z.discriminatedUnion("result", [
  z.object({
    /** The subscription's name. */
    id: z.string(),
    result: z.literal("met"),
    met: z.object({
      /** Oldest first. */
      events: z.array(WatchEvent),
      /** Events that were lost because nobody took them: compare with the list of terminals. */
      dropped: z.int(),
      /** Pass it back as the next `after`. */
      ackAfter: z.int(),
      elapsedMs: z.int(),
    }),
  }),
  z.object({ id: z.string(), result: z.literal("timeout"), elapsedMs: z.int() }),
  z.object({ id: z.string(), result: z.literal("closed"), error: z.string().optional() }),
]);
export type WatchFrame = z.infer<typeof WatchFrame>;
