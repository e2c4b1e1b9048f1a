// A conversation in one shape, whichever agent had it: what the page, `kolu export` and the transcript tool show.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { TRANSCRIPT_MAX_BYTES } from "./limits.ts";

const at = { atMs: z.number().nullable() };

/** A change of a file that a tool call made. */
export const TranscriptEdit = z.object({
  path: z.string(),
  /** Text that was replaced; null when the file was written whole. */
  before: z.string().nullable(),
  after: z.string(),
});
export type TranscriptEdit = z.infer<typeof TranscriptEdit>;

/** One thing that was said or done, oldest first. Text is what the agent stored, never markup to be trusted. */
export const TranscriptItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user"), ...at, text: z.string() }),
  z.object({ kind: z.literal("assistant"), ...at, text: z.string(), model: z.string().nullable() }),
  z.object({ kind: z.literal("reasoning"), ...at, text: z.string() }),
  z.object({
    kind: z.literal("tool"),
    ...at,
    callId: z.string().nullable(),
    name: z.string(),
    /** Its arguments: a shell command as it is, anything else as indented JSON. */
    input: z.string(),
    /** Null while it runs, or when its result was never written. */
    output: z.string().nullable(),
    failed: z.boolean(),
    edits: z.array(TranscriptEdit),
  }),
  /** What is neither said nor done: an interruption, an error that ended a turn, a compaction, a change of model. */
  z.object({ kind: z.literal("note"), ...at, text: z.string() }),
]);
export type TranscriptItem = z.infer<typeof TranscriptItem>;

export const TRANSCRIPT_ITEM_KINDS = [
  "user",
  "assistant",
  "reasoning",
  "tool",
  "note",
] as const satisfies readonly TranscriptItem["kind"][];

/** Tokens over the whole conversation, each null where the agent does not record it. */
export const TranscriptUsage = z.object({
  input: z.int().nullable(),
  output: z.int().nullable(),
  cacheRead: z.int().nullable(),
  cacheWrite: z.int().nullable(),
});
export type TranscriptUsage = z.infer<typeof TranscriptUsage>;

export const Transcript = z.object({
  /** An agent kind of the registry. */
  agent: z.string(),
  sessionId: z.string().nullable(),
  title: z.string().nullable(),
  cwd: z.string().nullable(),
  model: z.string().nullable(),
  version: z.string().nullable(),
  startedAtMs: z.number().nullable(),
  items: z.array(TranscriptItem),
  usage: TranscriptUsage,
  /** Records that could not be read and are missing here. */
  skippedRecords: z.int(),
});
export type Transcript = z.infer<typeof Transcript>;

const ItemIndex = z.int().min(0);

/** Which part of a conversation is wanted. Without any of the optional fields: all of it. Items keep their index while a
 * conversation only grows. */
export const TranscriptReadParams = z.object({
  id: TerminalId,
  /** So many items at most: the newest of those that the others leave. */
  last: z.int().min(1).optional(),
  /** Only items with a higher index. */
  after: ItemIndex.optional(),
  /** Only items with a lower index. */
  before: ItemIndex.optional(),
  /** The answer as JSON takes no more than this: long texts of tools lose their middle, then the oldest items are left out. */
  maxBytes: z.int().min(1).max(TRANSCRIPT_MAX_BYTES).optional(),
});
export type TranscriptReadParams = z.infer<typeof TranscriptReadParams>;

/** A transcript as padi hands it over: one message of the wire has a limit. */
export const ReadTranscript = Transcript.extend({
  /** Index of the first item here among all of the conversation; absent: 0. */
  firstIndex: ItemIndex.optional(),
  /** Items of the whole conversation; absent: those here. */
  itemCount: ItemIndex.optional(),
  /** Texts whose middle was cut out so that the rest fits. What was said is never cut. */
  shortenedTexts: z.int(),
});
export type ReadTranscript = z.infer<typeof ReadTranscript>;
