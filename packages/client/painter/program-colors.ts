// Colours that a program sets for its own terminal (OSC 4, 10, 11, 12) and gives back (OSC 104, 110, 111, 112), over those
// of the scheme.
import type { Engine } from "./engine.ts";
import { type Palette, parseHex } from "./palette.ts";

const NAMED = ["foreground", "background", "cursor"] as const;
type Named = (typeof NAMED)[number];
const FIRST_NAMED_CODE = 10;
const FIRST_NAMED_RESET_CODE = 110;

export interface ProgramColors {
  palette(): Palette;
  setScheme(scheme: Palette): void;
  /** The terminal begins anew. */
  reset(): void;
}

export function trackProgramColors(
  engine: Pick<Engine, "onOsc">,
  scheme: Palette,
  onChange: () => void,
): ProgramColors {
  let base = scheme;
  const named = new Map<Named, number>();
  const ansi = new Map<number, number>();
  let palette = base;

  function settle(): boolean {
    palette = { ...base, ...Object.fromEntries(named), ansi: [...base.ansi] };
    for (const [index, rgb] of ansi) palette.ansi[index] = rgb;
    onChange();
    return true;
  }

  engine.onOsc(4, (payload) => {
    const parts = payload.split(";");
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const index = Number(parts[at]);
      const rgb = parseSpec(parts[at + 1]!);
      if (rgb !== null && Number.isInteger(index) && index >= 0 && index < 256) ansi.set(index, rgb);
    }
    return settle();
  });
  engine.onOsc(104, (payload) => {
    if (payload === "") ansi.clear();
    for (const index of payload.split(";")) ansi.delete(Number(index));
    return settle();
  });
  for (const [slot, name] of NAMED.entries()) {
    engine.onOsc(FIRST_NAMED_CODE + slot, (payload) => {
      for (const [part, spec] of payload.split(";").entries()) {
        const rgb = parseSpec(spec);
        const target = NAMED[slot + part];
        if (rgb !== null && target) named.set(target, rgb);
      }
      return settle();
    });
    engine.onOsc(FIRST_NAMED_RESET_CODE + slot, () => {
      named.delete(name);
      return settle();
    });
  }

  return {
    palette: () => palette,
    setScheme(next) {
      base = next;
      settle();
    },
    reset() {
      named.clear();
      ansi.clear();
      settle();
    },
  };
}

/** `#rgb`, `#rrggbb` and longer, or X11's `rgb:r/g/b`, to 0xrrggbb; null for anything else, a question too. */
export function parseSpec(spec: string): number | null {
  const hash = /^#([0-9a-f]+)$/i.exec(spec)?.[1];
  if (hash && [3, 6, 9, 12].includes(hash.length)) {
    const digits = hash.length / 3;
    return toRgb([0, 1, 2].map((channel) => hash.slice(channel * digits, (channel + 1) * digits)));
  }
  const x11 = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(spec);
  return x11 ? toRgb(x11.slice(1)) : null;
}

function toRgb(channels: string[]): number {
  const hex = channels.map((digits) =>
    Math.round((Number.parseInt(digits, 16) * 255) / (16 ** digits.length - 1))
      .toString(16)
      .padStart(2, "0"),
  );
  return parseHex(`#${hex.join("")}`);
}
