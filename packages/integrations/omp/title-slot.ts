// The session's title: the first line of its log is a slot of 256 bytes that is rewritten in place, so a tail never sees it
// change. Pure.
import { nonBlank, parseObject } from "@kolu/anyagent/lenient.ts";

/** @param head the first bytes of the log; null when it has no slot or an empty one */
export function titleInSlot(head: string): string | null {
  const slot = parseObject(head.split("\n", 1)[0] ?? "");
  return slot?.type === "title" ? nonBlank(slot.title) : null;
}
