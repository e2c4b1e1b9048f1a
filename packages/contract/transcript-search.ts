// Where a text occurs in a conversation. Pure.
import type { TranscriptItem } from "./transcript.ts";

export interface TranscriptHit {
  /** Index among the transcript's items. */
  itemIndex: number;
  kind: TranscriptItem["kind"];
  atMs: number | null;
  /** The line that holds the first occurrence, cut around it. */
  line: string;
  /** Where it stands in `line`, in UTF-16 units. */
  start: number;
  end: number;
}

/** What would mean something in a pattern. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;
/** Characters of a line that are kept before and after an occurrence. */
const AROUND_CHARS = 80;

/**
 * The newest `maxHits` items that hold a text, newest first: one hit for each, its first occurrence. Letter case counts only
 * where the query has a capital. A blank query is in nothing.
 */
export function searchTranscript(
  items: readonly TranscriptItem[],
  query: string,
  maxHits: number,
): TranscriptHit[] {
  if (query.trim() === "") return [];
  const pattern = new RegExp(query.replaceAll(SYNTAX, "\\$&"), /\p{Lu}/u.test(query) ? "u" : "iu");
  const hits: TranscriptHit[] = [];
  for (let itemIndex = items.length - 1; itemIndex >= 0 && hits.length < maxHits; itemIndex--) {
    const item = items[itemIndex]!;
    const hit = firstHit(textsOf(item), pattern);
    if (hit) hits.push({ itemIndex, kind: item.kind, atMs: item.atMs, ...hit });
  }
  return hits;
}

/** What of an item can be searched, in the order in which it is read. */
function textsOf(item: TranscriptItem): string[] {
  if (item.kind !== "tool") return [item.text];
  const edits = item.edits.flatMap(({ path, before, after }) => [path, after, before ?? ""]);
  return [item.name, item.input, item.output ?? "", ...edits];
}

function firstHit(
  texts: readonly string[],
  pattern: RegExp,
): { line: string; start: number; end: number } | null {
  for (const text of texts) {
    const found = pattern.exec(text);
    if (found) return lineAround(text, found.index, found.index + found[0].length);
  }
  return null;
}

function lineAround(text: string, start: number, end: number): { line: string; start: number; end: number } {
  const lineStart = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const from = Math.max(lineStart, start - AROUND_CHARS);
  const to = Math.min(lineEnd < 0 ? text.length : lineEnd, end + AROUND_CHARS);
  // A cut never leaves half of a character behind.
  return { line: text.slice(from, to).toWellFormed(), start: start - from, end: end - from };
}
