// One query over the screens, the scrollback and the conversations of every terminal. Text is fetched page by page from the newest on, and no
// further than the answer needs.
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { KavalContract } from "@kolu/contract/kaval.ts";
import type { ResultOf } from "@kolu/contract/rpc.ts";
import type {
  SearchHit,
  SearchParams,
  SearchResult,
  SearchStep,
  SearchStepsParams,
} from "@kolu/contract/search.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { z } from "zod";
import type { ReadTranscriptOf } from "../detect/transcripts.ts";
import type { KavalLink } from "../kaval-link.ts";
import type { TerminalStore } from "../terminals/store.ts";
import { type ConversationSearch, openConversationSearch } from "./conversations.ts";
import { findInLines } from "./find.ts";

const DEFAULT_LIMIT = 100;
/** Lines of scrollback fetched at a time. */
const PAGE_LINES = 2_000;

type Page = ResultOf<KavalContract, "screen.history">;
type Params = z.infer<typeof SearchParams>;

export interface SearchWorld {
  store: TerminalStore;
  kaval: KavalLink;
  readTranscript: ReadTranscriptOf;
}

/** Rejects with `terminal-not-found` or `terminal-gone` for an id that is named, and with the signal's reason. */
export async function searchText(
  { query, ids, limit = DEFAULT_LIMIT, transcripts = false }: Params,
  { store, kaval, readTranscript }: SearchWorld,
  signal: AbortSignal,
): Promise<SearchResult> {
  const records = ids === undefined ? store.all() : ids.map((id) => store.require(id));
  const result: SearchResult = { hits: [], truncated: false, unread: [] };
  const conversations = transcripts ? openConversationSearch({ store, readTranscript }) : null;
  for (const record of byRecency(records)) {
    const { id } = record;
    // Each in its own right: a screen that cannot be read says nothing about the conversation, nor the other way round.
    for (const hits of [hitsIn(id, query, kaval, signal), saidIn(record, query, limit, conversations)])
      try {
        for await (const hit of hits) {
          if (result.hits.length === limit) return { ...result, truncated: true };
          result.hits.push(hit);
        }
        signal.throwIfAborted();
      } catch (error) {
        signal.throwIfAborted();
        result.unread.push({ id, reason: (error as Error).message });
      }
  }
  return result;
}

/** The most recent terminal first. One without a terminal to search has no step. Throws the signal's reason. */
export async function* searchSteps(
  { query, transcripts = false, limitEach }: SearchStepsParams,
  { store, kaval, readTranscript }: SearchWorld,
  signal: AbortSignal,
): AsyncGenerator<SearchStep> {
  const records = byRecency(store.all());
  const conversations = transcripts ? openConversationSearch({ store, readTranscript }) : null;
  for (const [at, record] of records.entries()) {
    const { id } = record;
    const step: SearchStep = {
      id,
      hits: [],
      truncated: false,
      unread: [],
      searched: at + 1,
      total: records.length,
    };
    for (const hits of [hitsIn(id, query, kaval, signal), saidIn(record, query, limitEach, conversations)])
      try {
        let count = 0;
        for await (const hit of hits) {
          step.truncated ||= count === limitEach;
          if (count === limitEach) break;
          step.hits.push(hit);
          count++;
        }
        signal.throwIfAborted();
      } catch (error) {
        signal.throwIfAborted();
        step.unread.push((error as Error).message);
      }
    // Closed meanwhile: nothing of it can be gone to.
    yield store.get(id) ? step : { ...step, hits: [], unread: [] };
  }
}

async function* saidIn(
  record: TerminalRecord,
  query: string,
  limit: number,
  conversations: ConversationSearch | null,
): AsyncGenerator<SearchHit> {
  // One more than may be shown tells that there are more.
  if (conversations) yield* await conversations.hitsIn(record, query, limit + 1);
}

/** The most recent output first; what never printed anything is as old as it is. */
export function byRecency(records: readonly TerminalRecord[]): TerminalRecord[] {
  const at = (record: TerminalRecord): number => record.lastActivityAtMs ?? record.createdAtMs;
  return [...records].sort((a, b) => at(b) - at(a));
}

async function* hitsIn(
  id: TerminalId,
  query: string,
  kaval: KavalLink,
  signal: AbortSignal,
): AsyncGenerator<SearchHit> {
  const screen = await kaval.call("screen.text", { id, extent: { kind: "screen" } }, { signal });
  const rows = screen.text.split("\n");
  const lastRow = rows.findLastIndex((row) => row.trim() !== "");
  let page: Page = await kaval.call("screen.history", { id, maxLines: PAGE_LINES }, { signal });
  if (page.kind === "stale") return;
  const screenTop = page.topLine + page.lines.length;
  const end = screenTop + lastRow;
  const hitsOf = function* (
    lines: readonly string[],
    top: number,
    where: "screen" | "scrollback",
  ): Generator<SearchHit> {
    for (const { at, ...match } of findInLines(lines, query))
      yield {
        id,
        where,
        line: top + at,
        linesFromEnd: Math.max(0, end - top - at),
        text: lines[at]!,
        ...match,
      };
  };
  yield* hitsOf(rows, screenTop, "screen");
  while (page.kind === "page") {
    yield* hitsOf(page.lines, page.topLine, "scrollback");
    if (page.exhausted || page.lines.length === 0) return;
    const older: { before: number; epoch: number } = { before: page.topLine, epoch: page.epoch };
    // A resize in the middle moves the lines: what was found so far stands, the rest is not where it was.
    page = await kaval.call("screen.history", { id, maxLines: PAGE_LINES, ...older }, { signal });
  }
}
