// Raw terminal output to lines of text, as a person would read them off: bytes may be cut anywhere, inside a character or
// an escape sequence. Pure but for its own memory.

/** A line longer than this is searched by its last part only: a program may never send a newline. */
export const LINE_MAX_CHARS = 4_096;

export interface OutputLines {
  /** Lines that these bytes completed, and the line that is still open (perhaps ""). */
  push(bytes: Uint8Array): { complete: string[]; open: string };
  /** Output was lost: what is open is not continued. */
  reset(): void;
}

type State = "text" | "escape" | "csi" | "string" | "string-escape" | "skip-one";

// C0 controls, DEL and the C1 range, but for tabs and line ends: what has to be looked at one by one. Most output has
// little of it, so everything in between is split into lines in one go.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g;

export function createOutputLines(): OutputLines {
  let decoder = new TextDecoder();
  let state: State = "text";
  let parameters = "";
  let open = "";
  let complete: string[] = [];

  /** Text with line ends and tabs, and no other control character. */
  const appendLines = (text: string): void => {
    if (!text.includes("\n")) {
      append(text);
      return;
    }
    const parts = text.split("\n");
    for (let at = 0; at < parts.length - 1; at++) {
      const part = parts[at]!;
      const line = part.endsWith("\r") ? part.slice(0, -1) : part;
      if (at === 0) append(line);
      else open = line;
      endLine();
    }
    open = parts[parts.length - 1]!;
  };

  const append = (text: string): void => {
    open += text;
    if (open.length > 2 * LINE_MAX_CHARS) open = open.slice(-LINE_MAX_CHARS);
  };
  const endLine = (): void => {
    complete.push(open.length > LINE_MAX_CHARS ? open.slice(-LINE_MAX_CHARS) : open);
    open = "";
  };
  /** A jump to another place on the screen ends what was being read; a step to the right is a gap. */
  const onCsi = (final: string): void => {
    if ("ABEFHdf".includes(final)) {
      if (open !== "") endLine();
    } else if (final === "C") append(" ".repeat(Math.min(Number(parameters) || 1, 256)));
    else if (final === "G") append(" ");
  };
  const onControl = (char: string): void => {
    switch (char) {
      case "\r": // Either half of a line end or the start of a line painted over: both end what stands there.
        if (open !== "") endLine();
        return;
      case "\x1b":
        state = "escape";
        return;
      case "\x9b":
        state = "csi";
        parameters = "";
        return;
      case "\x90":
      case "\x9d":
      case "\x9e":
      case "\x9f":
        state = "string";
        return;
      default: // Bells, backspaces and the like say nothing.
    }
  };

  const onEscaped = (char: string): void => {
    if (char === "[") {
      state = "csi";
      parameters = "";
    } else if ("]P^_X".includes(char)) state = "string";
    else if ("()*+-./#%".includes(char)) state = "skip-one";
    else state = "text";
  };

  const onSequence = (char: string): void => {
    switch (state) {
      case "escape":
        onEscaped(char);
        return;
      case "skip-one":
        state = "text";
        return;
      case "csi":
        if (char >= "@" && char <= "~") {
          state = "text";
          onCsi(char);
        } else parameters += char;
        return;
      case "string":
        if (char === "\x07" || char === "\x9c") state = "text";
        else if (char === "\x1b") state = "string-escape";
        return;
      case "string-escape":
        state = char === "\\" ? "text" : "string";
        return;
      case "text":
        return;
      default:
        state satisfies never;
    }
  };

  const consume = (text: string): void => {
    let at = 0;
    while (at < text.length) {
      if (state !== "text") {
        onSequence(text[at]!);
        at += 1;
        continue;
      }
      CONTROL.lastIndex = at;
      const control = CONTROL.exec(text);
      const end = control ? control.index : text.length;
      if (end > at) appendLines(text.slice(at, end));
      if (control) onControl(control[0]);
      at = end + (control ? 1 : 0);
    }
  };

  return {
    push(bytes) {
      consume(decoder.decode(bytes, { stream: true }));
      const lines = complete;
      complete = [];
      return { complete: lines, open: open.slice(-LINE_MAX_CHARS) };
    },
    reset() {
      decoder = new TextDecoder();
      state = "text";
      open = "";
    },
  };
}
