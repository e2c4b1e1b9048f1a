// What a caller asks to be typed, as bytes for the PTY. Pure.
import { ACCEPTED_KEYS, bracketedPaste, keyBytes } from "@kolu/contract/keys.ts";
import type { SendResult } from "@kolu/contract/padi.ts";
import { refuse } from "@kolu/contract/refusals.ts";
import type { z } from "zod";

type Sent = z.infer<typeof SendResult>["sent"];

export interface InputRequest {
  text?: string | undefined;
  key?: string | undefined;
  paste?: boolean | undefined;
}

/**
 * The bytes, and what to say was sent. Text of several lines goes as one bracketed paste unless the caller says
 * otherwise; text never submits itself. Throws `text-and-key`, `no-input`, `text-refused` or `key-refused`.
 */
export function encodeInput({ text, key, paste }: InputRequest): { bytes: string; sent: Sent } {
  if (text !== undefined && key !== undefined)
    throw refuse(
      "text-and-key",
      {},
      "Send text or one key, not both: the Enter that submits goes in a call of its own, after the text has settled.",
    );
  if (key !== undefined) {
    const bytes = keyBytes(key);
    if (bytes === null)
      throw refuse(
        "key-refused",
        { key },
        `There is no key named ${JSON.stringify(key)}. Keys: ${ACCEPTED_KEYS}.`,
      );
    return { bytes, sent: { key } };
  }
  if (text === undefined) throw refuse("no-input", {}, "Nothing to send: give text or a key.");
  if (text === "")
    throw refuse("text-refused", {}, "The text is empty. To submit what stands there, send the key Enter.");
  const pasted = paste ?? text.includes("\n");
  const bytes = pasted ? bracketedPaste(text) : text;
  return { bytes, sent: { textBytes: Buffer.byteLength(bytes), pasted } };
}

/** A command line as it is typed at a prompt: every line submitted, the last one too. */
export function typedLine(run: string): string {
  return `${run.replaceAll(/\r\n|\n/g, "\r")}\r`;
}
