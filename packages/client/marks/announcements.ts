// What a change of the workspace says aloud: to screen readers, in the title, on the favicon. Pure.

import type { AlertKind, Preferences } from "@kolu/contract/preferences.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { attentionOf, type Mark, markOf } from "./mark-of.ts";
import { nameOf } from "./name-of.ts";

type Records = ReadonlyMap<string, TerminalRecord>;

export interface Announcement {
  id: string;
  kind: AlertKind;
  /** "<name> needs you", "<name> finished", "<name> stopped with an error". */
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
    const mark = markOf(record);
    const kind = kindOf(mark);
    said.push({ id, kind, words: `${nameOf(record)} ${WORDS[kind]}`, why: mark.why });
  }
  return said;
}

type Told = Exclude<AlertKind, "program">;

const WORDS: Record<Told, string> = {
  "needs-you": "needs you",
  finished: "finished",
  error: "stopped with an error",
};

function kindOf({ kind }: Mark): Told {
  if (kind === "awaiting") return "needs-you";
  return kind === "error" ? "error" : "finished";
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

/** The same, of what a person wants to see on the tab. */
export function countBadges(records: Records, alerts: Preferences["alerts"]): AttentionCounts {
  const counts: AttentionCounts = { needsYou: 0, notSeen: 0 };
  for (const record of records.values()) {
    const mark = markOf(record);
    const attention = attentionOf(mark);
    if (attention === null || !alerts[kindOf(mark)].badge) continue;
    counts[attention === "needs-you" ? "needsYou" : "notSeen"] += 1;
  }
  return counts;
}

/** The tab's title: a number there always means "act here". */
export function pageTitle({ needsYou, notSeen }: AttentionCounts): string {
  if (needsYou > 0) return `(${needsYou}) kolu: needs you`;
  return notSeen > 0 ? `(${notSeen}) kolu: finished` : "kolu";
}
