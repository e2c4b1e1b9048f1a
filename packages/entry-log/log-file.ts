// One log on disk: its conversation as the file grows, and its header, which is the first whole line that is one.
import { closeSync, openSync, readSync } from "node:fs";
import { type FoldedState, foldedFile } from "@kolu/anyagent/folded-file.ts";
import { linesBackward } from "@kolu/anyagent/tail.ts";
import { backfill, type Conversation, fold, lacksFacts, NO_CONVERSATION } from "./fold.ts";
import { type Entry, parseEntryLine } from "./records.ts";

/** The header stands in the first line or, after a title, in the second; both together take about 500 bytes. */
const HEAD_BYTES = 4_096;
/** How far up a long log is searched for facts that its end does not tell. */
const BACKFILL_MAX_BYTES = 16 * 1024 * 1024;
/** Words without which a line can give none of those facts: looked for in the bytes, before any parsing. */
const FACT_MARKS = ['"usage"', '"session_info"', '"model_change"'];

export type Header = Entry & { kind: "header" };

/** Follows the conversation of a log. Reads must not overlap; they reject when the file is there and cannot be read. */
export function conversationFile(path: string): { read(): Promise<FoldedState<Conversation>> } {
  return foldedFile<Conversation>(path, { empty: NO_CONVERSATION, fold: foldLine, backfill: backfillFrom });
}

export function foldLine(before: Conversation, line: string): Conversation | "malformed" {
  const entry = parseEntryLine(line);
  if (entry === "malformed") return "malformed";
  return entry === "no-news" ? before : fold(before, entry);
}

async function backfillFrom(end: Conversation, path: string, startOffset: number): Promise<Conversation> {
  // Half a megabyte is not reached without a prompt.
  let filled: Conversation = { ...end, prompted: true };
  for await (const line of linesBackward(path, startOffset, BACKFILL_MAX_BYTES)) {
    if (!lacksFacts(filled)) break;
    if (!FACT_MARKS.some((mark) => line.includes(mark))) continue;
    const entry = parseEntryLine(line.toString("utf8"));
    if (typeof entry !== "string") filled = backfill(filled, entry);
  }
  return filled;
}

/** The first bytes of a file; empty when it is not there or not for us. */
export function readHead(path: string, bytes = HEAD_BYTES): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, bytes, 0));
  } catch {
    // A directory of that name, or a disk that fails: whoever follows the log says so.
    return "";
  } finally {
    closeSync(file);
  }
}

/** Null while it is not written whole, or when there is none: then the file is no log of a session. */
export function readHeader(path: string): Header | null {
  return headerIn(readHead(path));
}

export function headerIn(head: string): Header | null {
  for (const line of head.split("\n").slice(0, -1).slice(0, 2)) {
    const entry = parseEntryLine(line);
    if (typeof entry !== "string" && entry.kind === "header") return entry;
  }
  return null;
}
