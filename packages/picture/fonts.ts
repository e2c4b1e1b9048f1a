// Chooses the font of a grapheme cluster, and loads a file only when a character of it is first drawn: all of them together
// are 240 files. The one place that tells the canvas of fonts.
import { readFileSync } from "node:fs";
import { GlobalFonts } from "@napi-rs/canvas";
import type { FontFile } from "./font-files.ts";
import { charactersOf } from "./woff2-characters.ts";

export interface ChosenFont {
  /** The family's name, ours alone: a canvas that draws with it needs no other. */
  family: string;
  role: FontFile["role"];
  /** The cluster is to look bold and the file is not: it is drawn twice. */
  fakeBold: boolean;
  fakeItalic: boolean;
}

export interface Fonts {
  /** Null when no font of ours has it. */
  choose(cluster: string, style: { bold: boolean; italic: boolean; widthCols: number }): ChosenFont | null;
}

/** With U+FE0F or two columns wide, and made to be a picture. */
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\ufe0f|\u20e3|\u200d/u;

interface Loaded {
  family: string;
  has(codePoint: number): boolean;
}

export function createFonts(files: readonly FontFile[]): Fonts {
  const loaded = new Map<FontFile, Loaded>();

  function load(file: FontFile): Loaded {
    const before = loaded.get(file);
    if (before) return before;
    const family = `kolu-${loaded.size}`;
    const bytes = readFileSync(file.path);
    if (!GlobalFonts.register(bytes, family)) throw new Error(`The font ${file.path} cannot be read.`);
    // The emoji font's list of characters lies behind 20 MB that are not wanted; what it says of itself is right.
    const has = file.role === "emoji" ? () => true : charactersOf(bytes);
    const now: Loaded = { family, has };
    loaded.set(file, now);
    return now;
  }

  /** The first file of `candidates` that has every code point; those that only say how to draw others do not count. */
  function find(candidates: readonly FontFile[], codePoints: number[]): FontFile | null {
    return (
      candidates.find(
        (file) =>
          codePoints.every((code) => file.ranges.some(([first, last]) => code >= first && code <= last)) &&
          codePoints.every((code) => load(file).has(code)),
      ) ?? null
    );
  }

  const orders = new Map<string, FontFile[]>();
  function orderFor(emojiFirst: boolean, bold: boolean, italic: boolean): FontFile[] {
    const key = `${emojiFirst}${bold}${italic}`;
    const before = orders.get(key);
    if (before) return before;
    const emoji = files.filter((file) => file.role === "emoji");
    const inStyle = (file: FontFile): boolean => file.bold === bold && file.italic === italic;
    const text = files.filter((file) => (file.role === "mono" ? inStyle(file) : file.role !== "emoji"));
    const order = emojiFirst ? [...emoji, ...text] : [...text, ...emoji];
    orders.set(key, order);
    return order;
  }

  return {
    choose(cluster, { bold, italic, widthCols }) {
      const emojiFirst = widthCols === 2 && EMOJI.test(cluster);
      const order = orderFor(emojiFirst, bold, italic);
      const whole = [...cluster].map((char) => char.codePointAt(0)!);
      const drawn = whole.filter((code) => code !== 0xfe0e && code !== 0xfe0f);
      const file = find(order, whole) ?? find(order, drawn) ?? find(order, drawn.slice(0, 1));
      if (!file) return null;
      return {
        family: load(file).family,
        role: file.role,
        fakeBold: bold && !file.bold && file.role !== "emoji",
        fakeItalic: italic && !file.italic && file.role !== "emoji",
      };
    },
  };
}
