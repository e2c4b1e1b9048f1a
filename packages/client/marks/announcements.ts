// What a change of the workspace says aloud: to screen readers, in the title, on the favicon. Pure.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { attentionOf, markOf } from "./mark-of.ts";
import { nameOf } from "./name-of.ts";

type Records = ReadonlyMap<string, TerminalRecord>;

export interface Announcement {
  id: string;
  /** "<name> needs you", "<name> finished". */
  words: string;
  why: string | null;
}

/**
 * Once an episode: padi counts `unread` up when an agent asks or finishes, and never for what was so already when it (or
 * kaval) started. A terminal that this page sees for the first time is no news either.
 */
export function announcements(before: Records, after: Records): Announcement[] {
  const said: Announcement[] = [];
  for (const [id, record] of after) {
    const earlier = before.get(id);
    if (earlier === undefined || record.unread <= earlier.unread) continue;
    const { kind, why } = markOf(record);
    said.push({ id, words: `${nameOf(record)} ${kind === "awaiting" ? "needs you" : "finished"}`, why });
  }
  return said;
}

export interface AttentionCounts {
  needsYou: number;
  notSeen: number;
}

export function countAttention(records: Records): AttentionCounts {
  const counts: AttentionCounts = { needsYou: 0, notSeen: 0 };
  for (const record of records.values()) {
    const attention = attentionOf(markOf(record));
    if (attention === "needs-you") counts.needsYou += 1;
    if (attention === "not-seen") counts.notSeen += 1;
  }
  return counts;
}

/** The tab's title: a number there always means "act here". */
export function pageTitle({ needsYou, notSeen }: AttentionCounts): string {
  if (needsYou > 0) return `(${needsYou}) kolu: needs you`;
  return notSeen > 0 ? `(${notSeen}) kolu: finished` : "kolu";
}
