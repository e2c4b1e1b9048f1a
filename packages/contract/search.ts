// Finding text on the screens and in the scrollback of every terminal.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { SEARCH_HITS_MAX } from "./limits.ts";

export const SearchParams = z.object({
  query: z
    .string()
    .min(1)
    .describe("Plain text, found within one line. Without capitals it matches any case."),
  ids: z.array(TerminalId).optional().describe("Only in these terminals."),
  limit: z.int().min(1).max(SEARCH_HITS_MAX).optional().describe("Hits at most; 100 when left out."),
});

export const SearchHit = z.object({
  id: TerminalId,
  where: z.enum(["screen", "scrollback"]),
  /** Absolute number of the line in this terminal: lines keep it until a resize moves them. */
  line: z.int(),
  /** Lines between it and the last one of the screen that is not blank: 0 is the last. */
  linesFromEnd: z.int(),
  text: z.string(),
  /** Where in `text` the match begins and how long it is, in UTF-16 units. */
  matchStart: z.int(),
  matchLength: z.int(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchResult = z.object({
  /** The terminal with the most recent output first; in each the newest line first. */
  hits: z.array(SearchHit),
  /** There are more than `limit`. */
  truncated: z.boolean(),
  /** Terminals whose text could not be read, with the reason. */
  unread: z.array(z.object({ id: TerminalId, reason: z.string() })),
});
export type SearchResult = z.infer<typeof SearchResult>;
