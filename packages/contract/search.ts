// Finding text on the screens, in the scrollback and in the conversations of every terminal.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { SEARCH_HITS_MAX } from "./limits.ts";
import { TRANSCRIPT_ITEM_KINDS } from "./transcript.ts";

export const SearchParams = z.object({
  query: z
    .string()
    .min(1)
    .describe("Plain text, found within one line. Without capitals it matches any case."),
  ids: z.array(TerminalId).optional().describe("Only in these terminals."),
  /** The agents' conversations too. A face that does not ask for them does not have to know their hits. */
  transcripts: z.boolean().optional(),
  limit: z.int().min(1).max(SEARCH_HITS_MAX).optional().describe("Hits at most; 100 when left out."),
});

const found = {
  id: TerminalId,
  text: z.string(),
  /** Where in `text` the match begins and how long it is, in UTF-16 units. */
  matchStart: z.int(),
  matchLength: z.int(),
};

export const SearchHit = z.discriminatedUnion("where", [
  z.object({
    ...found,
    where: z.enum(["screen", "scrollback"]),
    /** Absolute number of the line in this terminal: lines keep it until a resize moves them. */
    line: z.int(),
    /** Lines between it and the last one of the screen that is not blank: 0 is the last. */
    linesFromEnd: z.int(),
  }),
  z.object({
    ...found,
    where: z.literal("transcript"),
    /** An agent kind of the registry. */
    agent: z.string(),
    /** Index of the item in its conversation, as `transcript.read` counts. */
    item: z.int(),
    /** Items after it: 0 is the last. */
    itemsFromEnd: z.int(),
    kind: z.enum(TRANSCRIPT_ITEM_KINDS),
    atMs: z.number().nullable(),
  }),
]);
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchResult = z.object({
  /** The terminal with the most recent output first; in each the newest line first, then the newest item. */
  hits: z.array(SearchHit),
  /** There are more than `limit`. */
  truncated: z.boolean(),
  /** Terminals whose text or conversation could not be read, with the reason. */
  unread: z.array(z.object({ id: TerminalId, reason: z.string() })),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchStepsParams = SearchParams.pick({ query: true, transcripts: true }).extend({
  /** Hits of one terminal at most, on its screen and scrollback, and as many in its conversation. */
  limitEach: z.int().min(1).max(SEARCH_HITS_MAX),
});
export type SearchStepsParams = z.infer<typeof SearchStepsParams>;

/** One terminal has been searched. */
export const SearchStep = z.object({
  id: TerminalId,
  hits: z.array(SearchHit),
  /** There are more than `limitEach`. */
  truncated: z.boolean(),
  /** Why its text or its conversation could not be read. */
  unread: z.array(z.string()),
  /** Terminals searched so far, this one among them, and in all. */
  searched: z.int(),
  total: z.int(),
});
export type SearchStep = z.infer<typeof SearchStep>;
