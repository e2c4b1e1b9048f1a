// OSC 52: text for the clipboard. Reads are never answered: a program that prints must not learn what a person copied.
import { fromBase64 } from "./text.ts";

/** Decoded; a larger write is dropped whole. */
export const CLIPBOARD_MAX_BYTES = 1024 * 1024;

/** The text to offer, or null: a read, an erasure, no base64, too much. */
export function parseClipboard(payload: string): string | null {
  const separator = payload.indexOf(";");
  const data = payload.slice(separator + 1);
  if (separator === -1 || data === "" || data === "?") return null;
  if (data.length > Math.ceil(CLIPBOARD_MAX_BYTES / 3) * 4) return null;
  const bytes = fromBase64(data);
  if (bytes === null || bytes.length === 0 || bytes.length > CLIPBOARD_MAX_BYTES) return null;
  return bytes.toString("utf8");
}
