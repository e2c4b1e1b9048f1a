// The default colours of one screen: the theme's, unless a program set its own (OSC 10, 11, 12). Answers the queries.
import type { TerminalColors } from "@kolu/contract/kaval.ts";
import type { Engine } from "./engine.ts";

const SLOTS = ["foreground", "background", "cursor"] as const;
type Slot = (typeof SLOTS)[number];
const FIRST_SLOT_CODE = 10;
const FIRST_RESET_CODE = 110;

export interface Colors {
  setTheme(colors: TerminalColors): void;
  /** A full reset gives the theme its colours back. */
  reset(): void;
  /** Sequences that set what a program set. */
  sequences(): string;
}

export function trackColors(engine: Engine, theme: TerminalColors, reply: (text: string) => void): Colors {
  let themeColors = theme;
  const own = new Map<Slot, Rgb>();

  for (const [index, slot] of SLOTS.entries()) {
    engine.terminal.parser.registerOscHandler(FIRST_SLOT_CODE + index, (payload) => {
      // "10;?;?" means foreground and background: each further part is the next slot.
      for (const [part, spec] of payload.split(";").entries()) {
        const target = SLOTS[index + part];
        if (target) setOrAnswer(target, spec);
      }
      return true;
    });
    engine.terminal.parser.registerOscHandler(FIRST_RESET_CODE + index, () => own.delete(slot) || true);
  }

  function setOrAnswer(slot: Slot, spec: string): void {
    if (spec !== "?") {
      const rgb = parseColor(spec);
      if (rgb) own.set(slot, rgb);
      return;
    }
    const rgb = own.get(slot) ?? parseColor(themeColors[slot]);
    if (rgb) reply(`\x1b]${code(slot)};${formatRgb(rgb)}\x1b\\`);
  }

  return {
    setTheme(colors) {
      themeColors = colors;
    },
    reset() {
      own.clear();
    },
    sequences() {
      return [...own].map(([slot, rgb]) => `\x1b]${code(slot)};${formatRgb(rgb)}\x1b\\`).join("");
    },
  };
}

function code(slot: Slot): number {
  return FIRST_SLOT_CODE + SLOTS.indexOf(slot);
}

/** 16 bits a channel. */
type Rgb = [number, number, number];

function formatRgb(rgb: Rgb): string {
  return `rgb:${rgb.map((channel) => channel.toString(16).padStart(4, "0")).join("/")}`;
}

/** `#rgb` to `#rrrrggggbbbb` and X11's `rgb:r/g/b` with one to four digits a channel; anything else is null. */
export function parseColor(spec: string): Rgb | null {
  const hash = /^#([0-9a-f]+)$/i.exec(spec);
  if (hash && [3, 6, 9, 12].includes(hash[1]!.length)) {
    const digits = hash[1]!.length / 3;
    return channels([0, 1, 2].map((index) => hash[1]!.slice(index * digits, (index + 1) * digits)));
  }
  const named = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(spec);
  return named ? channels(named.slice(1)) : null;
}

function channels(digits: string[]): Rgb {
  return digits.map((text) =>
    Math.round((Number.parseInt(text, 16) * 0xffff) / (16 ** text.length - 1)),
  ) as Rgb;
}
