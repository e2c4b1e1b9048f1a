// Is what is shown, or stored, the prompt that was typed? Pure.
import type { Composer } from "@kolu/anyagent/plugin.ts";
import type { Transcript } from "@kolu/contract/transcript.ts";

/** Beyond this a composer may show only a part of what it holds. */
const SHOWN_WHOLE_CHARS = 400;
/** Clocks of one machine: an agent may stamp a message with the time at which it began to read it. */
const STAMP_SLACK_MS = 1_000;

/** Where lines wrap, and what stands for a tab, is the composer's business. */
function bare(text: string): string {
  return text.replace(/[\s\u00a0]+/g, "");
}

export function holdsPrompt({ draft, folded, clipped = false }: Composer, text: string): boolean {
  if (folded) return true;
  const shown = bare(draft);
  const typed = bare(text);
  if (shown === typed) return true;
  // The cursor is at its end, and so is what is in sight.
  if (clipped && shown !== "") return typed.endsWith(shown);
  return typed.length > SHOWN_WHOLE_CHARS && shown.length > SHOWN_WHOLE_CHARS / 4 && typed.includes(shown);
}

/** Whether the conversation holds this message, said since then. An item without a time proves nothing. */
export function hasPrompt({ items }: Transcript, text: string, sinceMs: number): boolean {
  const typed = bare(text);
  return items.some(
    (item) =>
      item.kind === "user" &&
      item.atMs !== null &&
      item.atMs >= sinceMs - STAMP_SLACK_MS &&
      bare(item.text).includes(typed),
  );
}
