// Key names and chords to the bytes that a terminal program reads. Pure.

/** Named keys, matched without regard to letter case. Arrow, Home and End bytes are those of normal cursor mode. */
const NAMED_KEYS = new Map<string, string>([
  ["enter", "\r"],
  ["return", "\r"],
  ["tab", "\t"],
  ["escape", "\x1b"],
  ["esc", "\x1b"],
  ["space", " "],
  ["backspace", "\x7f"],
  ["up", "\x1b[A"],
  ["down", "\x1b[B"],
  ["right", "\x1b[C"],
  ["left", "\x1b[D"],
  ["home", "\x1b[H"],
  ["end", "\x1b[F"],
  ["pageup", "\x1b[5~"],
  ["pagedown", "\x1b[6~"],
  ["delete", "\x1b[3~"],
  ["insert", "\x1b[2~"],
  ["shift-tab", "\x1b[Z"],
  ["s-tab", "\x1b[Z"],
]);

/** For refusal sentences and help. */
export const ACCEPTED_KEYS =
  "Enter, Escape, Tab, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, Delete, Backspace, Space, Shift-Tab, C-<char>, M-<char>";

/** The bytes of a key name or chord, or null when the name means nothing. */
export function keyBytes(name: string): string | null {
  const named = NAMED_KEYS.get(name.toLowerCase());
  if (named !== undefined) return named;
  const chord = /^([CcMm])-(.+)$/u.exec(name);
  if (!chord) return null;
  const characters = [...chord[2]!];
  if (chord[1]!.toLowerCase() === "m") {
    if (characters.length === 1) return `\x1b${chord[2]}`;
    const inner = NAMED_KEYS.get(chord[2]!.toLowerCase());
    return inner === undefined ? null : `\x1b${inner}`;
  }
  if (chord[2]!.toLowerCase() === "space") return "\0";
  if (characters.length !== 1) return null;
  const code = chord[2]!.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : null;
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/**
 * Text as one bracketed paste. An end marker inside the text would end the paste early and let the rest run as
 * keystrokes, so it is taken out.
 */
export function bracketedPaste(text: string): string {
  let body = text;
  // Taking one marker out may join its neighbours into another, so until none is left.
  while (body.includes(PASTE_END)) body = body.replaceAll(PASTE_END, "");
  return PASTE_START + body + PASTE_END;
}
