// What `kaval-tui attach` must know of the terminal that it runs in: which output it may not see, and how to leave it as
// it was. Pure.

/**
 * Queries that a terminal answers by typing. kaval has answered them already; the terminal around us would answer once
 * more, into the program's input. CSI: device attributes, status reports, modes, window reports, keyboard flags. DCS:
 * settings and capabilities. OSC: colours, clipboard, program status.
 */
const QUERIES =
  /\x1b\[[>=?]?[\d;]*c|\x1b\[\??[\d;]*n|\x1b\[\??[\d;]*\$p|\x1b\[[>]?[\d;]*q(?<! q)|\x1b\[[\d;]*[tx]|\x1b\[\?u|\x1bP(?:\$q|\+q)[^\x1b\x07]*(?:\x1b\\|\x07)|\x1b\](?:4;\d+|1\d|52;[^;\x07\x1b]*|7501);\?[^\x1b\x07]*(?:\x1b\\|\x07)/g;

/** A sequence that has not ended yet. */
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|[P\]][^\x07\x1b]*\x1b?|)$/;

/** An unfinished sequence longer than this is output like any other: nothing that we look for is. */
const HELD_MAX_CHARS = 4 * 1024;

const ALTERNATE = /\x1b\[\?(?:1049|1047|47)([hl])/g;

/** Takes queries out of output, across chunks, and remembers whether the alternate screen is shown. */
export class OuterFilter {
  #held = "";
  #alternate = false;

  get showsAlternateScreen(): boolean {
    return this.#alternate;
  }

  filter(bytes: Uint8Array): Uint8Array {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#held === "" && !view.includes(0x1b)) return bytes;
    // latin1 maps each byte to one character and back, whatever the encoding of the text.
    let text = this.#held + view.toString("latin1");
    this.#held = "";
    const unfinished = UNFINISHED.exec(text);
    if (unfinished && unfinished[0].length <= HELD_MAX_CHARS) {
      this.#held = unfinished[0];
      text = text.slice(0, unfinished.index);
    }
    for (const match of text.matchAll(ALTERNATE)) this.#alternate = match[1] === "h";
    return Buffer.from(text.replace(QUERIES, ""), "latin1");
  }
}

/** Puts back what a program may have changed, in the order in which it matters: the screen first, the cursor last. */
export function leaveModes(showsAlternateScreen: boolean): string {
  return [
    "\x1b[?2026l",
    showsAlternateScreen ? "\x1b[?1049l" : "",
    // Mouse, in every encoding; focus reports; bracketed paste.
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l",
    "\x1b[?1004l\x1b[?2004l",
    // Cursor and keypad keys, the two keyboard protocols, wrapping.
    "\x1b[?1l\x1b>\x1b[=0u\x1b[>4;0m\x1b[?7h",
    // Margins, without moving the cursor; character set; colours; the cursor itself.
    "\x1b7\x1b[r\x1b8\x0f\x1b(B\x1b[0m\x1b[0 q\x1b[?25h",
  ].join("");
}
