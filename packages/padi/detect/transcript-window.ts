// The part of a conversation that a caller asked for, in a size that it asked for. Pure.
import type {
  ReadTranscript,
  Transcript,
  TranscriptItem,
  TranscriptReadParams,
} from "@kolu/contract/transcript.ts";
import { fitTranscript } from "./fit-transcript.ts";

export type Window = Pick<TranscriptReadParams, "last" | "after" | "before">;

/** The newest `last` of the items between `after` and `before`, neither of them included. */
export function windowOf(
  items: readonly TranscriptItem[],
  { last = items.length, after = -1, before = items.length }: Window,
): { firstIndex: number; items: TranscriptItem[] } {
  const end = Math.min(before, items.length);
  const firstIndex = Math.min(Math.max(after + 1, end - last), items.length);
  return { firstIndex, items: items.slice(firstIndex, end) };
}

/**
 * The wanted items within `maxBytes`: long texts of tools lose their middle first, then the oldest items are left out.
 * Null when not even the newest one fits.
 */
export function fitWindow(transcript: Transcript, window: Window, maxBytes: number): ReadTranscript | null {
  const itemCount = transcript.items.length;
  let { firstIndex, items } = windowOf(transcript.items, window);
  for (;;) {
    const fitted = fitTranscript({ ...transcript, items }, maxBytes);
    if (fitted !== null) return { ...fitted, firstIndex, itemCount };
    if (items.length <= 1) return null;
    const dropped = Math.ceil(items.length / 4);
    firstIndex += dropped;
    items = items.slice(dropped);
  }
}
