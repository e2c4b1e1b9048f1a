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

/** Once when it becomes so, never for what was so when the page opened. */
export function announcements(before: Records, after: Records): Announcement[] {
  const said: Announcement[] = [];
  for (const [id, record] of after) {
    const earlier = before.get(id);
    if (earlier === undefined || earlier === record) continue;
    const [was, is] = [markOf(earlier), markOf(record)];
    const say = (words: string): unknown =>
      said.push({ id, words: `${nameOf(record)} ${words}`, why: is.why });
    if (is.kind === "awaiting" && was.kind !== "awaiting") say("needs you");
    else if (is.unread && !was.unread) say("finished");
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
