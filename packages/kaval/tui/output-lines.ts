// A regular expression over output as it comes: bytes cut anywhere, escape sequences in between. Pure.

/** Text kept from one chunk to the next, so that a match may straddle them. */
const OVERLAP_CHARS = 4 * 1024;

const SEQUENCES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-Z\\^-~])|\r|\x07|\x0f|\x0e/g;
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|[P\]X^_][^\x07\x1b]*\x1b?|[ -/]*)$/;

export class OutputMatcher {
  #pattern: RegExp;
  #decoder = new TextDecoder("utf-8");
  #text = "";
  #held = "";

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  /** The first line that matches with what came so far, or null. */
  feed(bytes: Uint8Array): string | null {
    let fresh = this.#held + this.#decoder.decode(bytes, { stream: true });
    this.#held = "";
    const unfinished = UNFINISHED.exec(fresh);
    if (unfinished && unfinished[0].length <= OVERLAP_CHARS) {
      this.#held = unfinished[0];
      fresh = fresh.slice(0, unfinished.index);
    }
    this.#text += fresh.replace(SEQUENCES, "");
    const match = this.#pattern.exec(this.#text);
    if (match) return lineAround(this.#text, match.index);
    this.#text = keepEnd(this.#text);
    return null;
  }
}

function keepEnd(text: string): string {
  if (text.length <= OVERLAP_CHARS) return text;
  let from = text.length - OVERLAP_CHARS;
  // Never begin with the second half of a surrogate pair.
  if (/[\udc00-\udfff]/.test(text[from]!)) from += 1;
  return text.slice(from);
}

function lineAround(text: string, index: number): string {
  const begin = text.lastIndexOf("\n", index - 1) + 1;
  const end = text.indexOf("\n", index);
  return text.slice(begin, end === -1 ? undefined : end).trim();
}
