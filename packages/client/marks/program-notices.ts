// What programs without an agent say by themselves: a bell, a notification (OSC 9, 99, 777). Pure.
import type { KavalNotice } from "@kolu/contract/kaval.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Announcement } from "./announcements.ts";
import { nameOf } from "./name-of.ts";

/** A program that rings at every key rings once. */
const REST_MS = 5_000;

/** Null: nothing to say. An agent's own notifications say what kolu says of it already. */
export function announcementOf(
  { id, atMs, what }: KavalNotice,
  record: TerminalRecord | undefined,
  lastAtMs: number | undefined,
): Announcement | null {
  if (!record || record.agent !== null || what.kind === "clipboard") return null;
  if (lastAtMs !== undefined && atMs - lastAtMs < REST_MS) return null;
  const name = nameOf(record);
  if (what.kind === "bell") return { id, kind: "program", words: `${name} rings`, why: null };
  const { title, body } = what;
  return { id, kind: "program", words: `${name}: ${title ?? body}`, why: title === null ? null : body };
}
