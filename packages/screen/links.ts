// Hyperlinks (OSC 8) of one screen. The emulator's own table keeps a marker for every line of every link and walks all
// of them whenever a line scrolls away: 20 000 links in a listing make it stand still. Here a link is a number in the
// cell and a row in a bounded table.
import type { Engine } from "./engine.ts";

/** Links remembered for one screen; the oldest are forgotten first and their cells become plain text. */
const LINKS_MAX = 8_192;
/** A longer address is not a link. */
const URI_MAX_CHARS = 2_083;

export interface Links {
  /** The sequence that opens the link, or null when it is not known (any more). */
  openSequence(id: number): string | null;
}

/** The sequence that ends a link. */
export const CLOSE_LINK = "\x1b]8;;\x1b\\";

export function trackLinks(engine: Engine): Links {
  const payloads = new Map<number, string>();
  const ids = new Map<string, number>();
  let nextId = 1;

  function intern(payload: string): number {
    const known = ids.get(payload);
    if (known !== undefined) return known;
    const id = nextId++;
    ids.set(payload, id);
    payloads.set(id, payload);
    if (payloads.size > LINKS_MAX) {
      const [oldestId, oldest] = payloads.entries().next().value!;
      payloads.delete(oldestId);
      ids.delete(oldest);
    }
    return id;
  }

  engine.terminal.parser.registerOscHandler(8, (payload) => {
    const separator = payload.indexOf(";");
    if (separator === -1) return true;
    const uri = payload.slice(separator + 1);
    const pen = engine.core._inputHandler._curAttrData;
    pen.extended = pen.extended.clone();
    pen.extended.urlId = uri === "" || uri.length > URI_MAX_CHARS ? 0 : intern(payload);
    pen.updateExtended();
    return true;
  });

  return {
    openSequence(id) {
      const payload = payloads.get(id);
      return payload === undefined ? null : `\x1b]8;${payload}\x1b\\`;
    },
  };
}
