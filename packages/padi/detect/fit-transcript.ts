// A transcript of any size -> one that fits into a message. Pure.
import type { ReadTranscript, Transcript, TranscriptItem } from "@kolu/contract/transcript.ts";
import { cutMiddle } from "@kolu/transcript/text.ts";

/** Characters that a text of a tool may have, tried in turn. The last one still tells what a call was about. */
const LIMITS_CHARS = [Number.POSITIVE_INFINITY, 256 * 1024, 64 * 1024, 16 * 1024, 4 * 1024, 1024];

/** Cuts what tools read, wrote and printed, and what was only thought, as far as it must; never what was said. Null: that
 * alone is too much. */
export function fitTranscript(transcript: Transcript, maxBytes: number): ReadTranscript | null {
  for (const maxChars of LIMITS_CHARS) {
    const cut = cutTranscript(transcript, maxChars);
    if (isWithin(cut, maxBytes)) return cut;
  }
  return null;
}

function isWithin(transcript: ReadTranscript, maxBytes: number): boolean {
  // A character is at least a byte: what is far too long is not written out only to be measured.
  const chars = transcript.items.reduce((total, item) => total + charsOf(item), 0);
  return chars <= maxBytes && Buffer.byteLength(JSON.stringify(transcript)) <= maxBytes;
}

function charsOf(item: TranscriptItem): number {
  if (item.kind !== "tool") return item.text.length;
  const ofEdits = item.edits.reduce(
    (total, edit) => total + (edit.before?.length ?? 0) + edit.after.length,
    0,
  );
  return item.input.length + (item.output?.length ?? 0) + ofEdits;
}

function cutTranscript(transcript: Transcript, maxChars: number): ReadTranscript {
  let shortenedTexts = 0;
  const cut = <T extends string | null>(text: T): T => {
    if (text === null || text.length <= maxChars) return text;
    shortenedTexts += 1;
    return cutMiddle(text, maxChars) as T;
  };
  const items = transcript.items.map((item): TranscriptItem => {
    if (item.kind === "reasoning") return { ...item, text: cut(item.text) };
    if (item.kind !== "tool") return item;
    const edits = item.edits.map((edit) => ({ ...edit, before: cut(edit.before), after: cut(edit.after) }));
    return { ...item, input: cut(item.input), output: cut(item.output), edits };
  });
  return { ...transcript, items, shortenedTexts };
}
