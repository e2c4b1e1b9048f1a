// What an exported file is called when nobody named it. Pure.
import type { Transcript } from "@kolu/contract/transcript.ts";
import { type PageOptions, titleOf } from "./page.ts";
import { clockIn } from "./times.ts";

const SLUG_MAX_CHARS = 60;

/** Such as "2026-11-30-rename-the-button-chat.html": letters, digits and dashes, so that it is a name on every system. */
export function pageFileName(transcript: Transcript, options: PageOptions): string {
  const day = clockIn(options.timeZone).day(transcript.startedAtMs ?? options.exportedAtMs);
  const slug = slugOf(titleOf(transcript, options.agentName)) || slugOf(options.agentName) || "conversation";
  return `${day}-${slug}${options.mode === "chat" ? "-chat" : ""}.html`;
}

function slugOf(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, SLUG_MAX_CHARS)
    .toWellFormed()
    .replaceAll(/^-+|-+$|\ufffd/g, "");
}
