// Key chords: how they are written, matched and shown. Pure.
//
// On Linux and Windows programs in a terminal use plain Ctrl and Alt chords, so the page takes only Ctrl+Shift ones there.
// On a Mac, Cmd never reaches a terminal program and is the page's.

export type Platform = "mac" | "other";

/** A chord for each platform, such as { other: "Ctrl+Shift+K", mac: "Cmd+K" }. Keys are `KeyboardEvent.code` names, shortened. */
export interface ChordPair {
  other: string;
  mac: string;
}

export interface Chord {
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
  /** `KeyboardEvent.code`: the key's place, so that a chord is the same on every layout. */
  code: string;
}

const CODES: Record<string, string> = {
  Enter: "Enter",
  Space: "Space",
  Escape: "Escape",
  Tab: "Tab",
  "[": "BracketLeft",
  "]": "BracketRight",
  "/": "Slash",
  "\\": "Backslash",
  ".": "Period",
  ",": "Comma",
  "`": "Backquote",
  "-": "Minus",
  "=": "Equal",
  ";": "Semicolon",
  "'": "Quote",
};

export function parseChord(text: string): Chord {
  const names = text.split("+");
  const key = names.pop()!;
  const has = (name: string): boolean => names.includes(name);
  return { ctrl: has("Ctrl"), shift: has("Shift"), alt: has("Alt"), meta: has("Cmd"), code: codeOf(key) };
}

function codeOf(key: string): string {
  if (/^[A-Z]$/.test(key)) return `Key${key}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return CODES[key] ?? key;
}

/** How a press is written, the other way round; null while only modifiers are held. */
export function chordOf(press: Press): string | null {
  const { code } = press;
  if (/^(Control|Shift|Alt|Meta|OS)(Left|Right)?$|^CapsLock$|^Fn|^$/.test(code)) return null;
  const [, plain] = /^(?:Key|Digit)(.)$/.exec(code) ?? [];
  const key = plain ?? Object.keys(CODES).find((name) => CODES[name] === code) ?? code;
  const held: [boolean, string][] = [
    [press.ctrlKey, "Ctrl"],
    [press.metaKey, "Cmd"],
    [press.altKey, "Alt"],
    [press.shiftKey, "Shift"],
  ];
  return [...held.filter(([isHeld]) => isHeld).map(([, name]) => name), key].join("+");
}

export function isSameChord(a: string, b: string): boolean {
  const [one, other] = [parseChord(a), parseChord(b)];
  return (Object.keys(one) as (keyof Chord)[]).every((part) => one[part] === other[part]);
}

export interface Press {
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  code: string;
}

export function isPress(chord: Chord, press: Press): boolean {
  return (
    chord.code === press.code &&
    chord.ctrl === press.ctrlKey &&
    chord.shift === press.shiftKey &&
    chord.alt === press.altKey &&
    chord.meta === press.metaKey
  );
}

/** Whether a program in a terminal could be waiting for this chord on Linux or Windows. */
export function belongsToPrograms(chord: Chord): boolean {
  return !(chord.ctrl && chord.shift);
}

const MAC_SIGNS: [keyof Chord, string][] = [
  ["ctrl", "⌃"],
  ["alt", "⌥"],
  ["shift", "⇧"],
  ["meta", "⌘"],
];

/** Key caps to show, in the platform's order. */
export function chordCaps(text: string, platform: Platform): string[] {
  const key = text.split("+").at(-1)!;
  if (platform === "other") return text.split("+");
  const chord = parseChord(text);
  return [...MAC_SIGNS.filter(([name]) => chord[name]).map(([, sign]) => sign), key === "Enter" ? "↩" : key];
}
