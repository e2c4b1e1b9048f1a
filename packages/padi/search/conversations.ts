// The conversations of terminals, searched within a time: a long one must not hold up what the screens have told already.
import type { SearchHit } from "@kolu/contract/search.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { searchTranscript } from "@kolu/contract/transcript-search.ts";
import { conversationIn } from "../detect/conversation.ts";
import type { ReadTranscriptOf } from "../detect/transcripts.ts";
import type { TerminalStore } from "../terminals/store.ts";

/** A conversation whose own file is larger is left out of a search, and that is said: while it is read, padi needs about eight
 * times its size in memory. */
const FILE_MAX_BYTES = 24 * 1024 * 1024;
/** One conversation may take this long to read, all of one search together that long; what is late is left out and named. */
const ONE_READ_MS = 2_000;
const ALL_READS_MS = 5_000;

export interface ConversationSearch {
  /** The newest items that hold the query, newest first; none where there is no conversation. Rejects with the reason for
   * which it could not be searched, in words for a person. */
  hitsIn(record: TerminalRecord, query: string, maxHits: number): Promise<SearchHit[]>;
}

/** For one search: its time begins now. */
export function openConversationSearch(
  world: {
    store: Pick<TerminalStore, "savedReading" | "lastConversation">;
    readTranscript: ReadTranscriptOf;
  },
  { oneReadMs = ONE_READ_MS, allReadsMs = ALL_READS_MS } = {},
): ConversationSearch {
  const endsAtMs = performance.now() + allReadsMs;
  return {
    async hitsIn(record, query, maxHits) {
      const meant = conversationIn(record, world.store);
      if (meant === null || meant.sessionId === null) return [];
      const { agent, sessionId, sessionPath } = meant;
      const leftMs = endsAtMs - performance.now();
      if (leftMs < 1) throw new Error("there was no time left for its conversation");
      const reading = world.readTranscript(
        agent,
        { sessionId, sessionPath },
        { maxFileBytes: FILE_MAX_BYTES },
      );
      const transcript = await within(Math.min(oneReadMs, leftMs), reading);
      if (transcript === null) return [];
      const { items } = transcript;
      return searchTranscript(items, query, maxHits).map(({ itemIndex, kind, atMs, line, start, end }) => ({
        id: record.id,
        where: "transcript",
        agent,
        item: itemIndex,
        itemsFromEnd: items.length - 1 - itemIndex,
        kind,
        atMs,
        text: line,
        matchStart: start,
        matchLength: end - start,
      }));
    },
  };
}

/** What is read too late is thrown away. */
async function within<T>(timeoutMs: number, reading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`its conversation was not read within ${Math.round(timeoutMs)} ms`)),
    // A timer may end a part of a millisecond early: rounded up, time that is used up counts as such.
    Math.ceil(timeoutMs),
  );
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
