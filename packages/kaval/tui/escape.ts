// The escape character of `kaval-tui attach`: `~.` at the beginning of a line detaches, as ssh users know it. Pure.

export type EscapeAction = "detach" | "help";

const NEWLINES = new Set([0x0d, 0x0a]);
const DOT = 0x2e;
const QUESTION = 0x3f;

/** Reads what is typed, across chunks. */
export class EscapeReader {
  #escape: number | null;
  #atLineStart = true;
  #escaped = false;

  /** `character` is one ASCII character, or null for no escape at all. */
  constructor(character: string | null) {
    this.#escape = character === null ? null : character.charCodeAt(0);
  }

  /** What is to be sent on, and what was asked of us. Nothing typed after a detach is sent. */
  read(typed: Uint8Array): { send: Uint8Array; actions: EscapeAction[] } {
    const send: number[] = [];
    const actions: EscapeAction[] = [];
    for (const byte of typed) {
      if (this.#escaped) {
        this.#escaped = false;
        if (byte === DOT) return { send: Uint8Array.from(send), actions: [...actions, "detach"] };
        if (byte === QUESTION) {
          actions.push("help");
          this.#atLineStart = true;
          continue;
        }
        send.push(this.#escape!);
        // The escape character twice is that character once.
        if (byte !== this.#escape) send.push(byte);
      } else if (this.#atLineStart && byte === this.#escape) {
        this.#escaped = true;
        continue;
      } else send.push(byte);
      this.#atLineStart = NEWLINES.has(byte);
    }
    return { send: Uint8Array.from(send), actions };
  }
}
