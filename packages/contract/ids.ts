// Ids and the rule by which a person may shorten them. Neutral: no I/O.
import { z } from "zod";

export const TerminalId = z.uuid().brand<"TerminalId">();
/** Names one terminal for the whole life of its record; restore and restarts keep it. */
export type TerminalId = z.infer<typeof TerminalId>;

/** How many characters of an id are shown to people. */
export const SHORT_ID_CHARS = 8;

export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_CHARS);
}

export type PrefixMatch =
  | { kind: "found"; id: string }
  | { kind: "none" }
  | { kind: "ambiguous"; ids: string[] };

/** Resolves what a person typed: an exact id wins, then a unique prefix; letter case does not matter. */
export function matchPrefix(typed: string, ids: Iterable<string>): PrefixMatch {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return { kind: "none" };
  const matches: string[] = [];
  for (const id of ids) {
    const lower = id.toLowerCase();
    if (lower === wanted) return { kind: "found", id };
    if (lower.startsWith(wanted)) matches.push(id);
  }
  if (matches.length === 0) return { kind: "none" };
  if (matches.length > 1) return { kind: "ambiguous", ids: matches };
  return { kind: "found", id: matches[0]! };
}
