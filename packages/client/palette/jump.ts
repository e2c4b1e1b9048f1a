// To the place of a hit.
import type { SearchHit } from "@kolu/contract/search.ts";
import { goTo } from "../dock/navigate.ts";
import { sessionOf } from "../terminal/sessions.ts";

export type LineHit = Extract<SearchHit, { where: "screen" | "scrollback" }>;
export type TranscriptHit = Extract<SearchHit, { where: "transcript" }>;

/** Goes to its terminal, scrolls to its line and lights it up. */
export function goToLine(hit: LineHit): void {
  goTo(hit.id);
  sessionOf(hit.id).reveal(hit);
}
