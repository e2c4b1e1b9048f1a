// OSC 52: a program in a terminal offers text for the clipboard. Reads are never answered, writes are capped here and
// asked about by the tile. Pure.

/** More than this is no text that a person meant to copy; the offer is not shown. */
export const CLIPBOARD_OFFER_MAX_BYTES = 1024 * 1024;

/** The text that an OSC 52 payload ("c;<base64>") offers, or null: a read, too much, or not base64 of UTF-8 text. */
export function parseClipboardOffer(payload: string): string | null {
  const separator = payload.indexOf(";");
  if (separator < 0) return null;
  const encoded = payload.slice(separator + 1);
  if (encoded === "?" || encoded === "" || encoded.length > Math.ceil(CLIPBOARD_OFFER_MAX_BYTES / 3) * 4)
    return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null; // Not base64, or not text: there is nothing to offer.
  }
}
