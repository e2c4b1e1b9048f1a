// Text of other people (titles, intents, branches, commands) made fit for a terminal's line. Pure.

// Controls act on the terminal that prints them; direction marks make text read as something else.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes text harmless to print on one line: blanks for line breaks and tabs, pictures for other controls. */
export function neutralise(text: string): string {
  return text
    .replace(DIRECTION_MARKS, "")
    .replace(/\r\n|[\r\n\t\v\f]/g, " ")
    .replace(CONTROLS, (character) => {
      const code = character.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      return code === 0x7f ? "\u2421" : "\ufffd";
    });
}

/** Made when a text needs them: their tables take 60 ms to load, a quarter of a whole `kolu ls`. */
let unicode: { graphemes: Intl.Segmenter; emoji: RegExp } | null = null;
function unicodeTables(): NonNullable<typeof unicode> {
  unicode ??= {
    graphemes: new Intl.Segmenter(undefined, { granularity: "grapheme" }),
    emoji: /^\p{RGI_Emoji}$/v,
  };
  return unicode;
}
// Latin letters, dashes, quotes, ellipsis and arrows: one cell each, and nothing joins them.
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2013-\u2026\u2190-\u2193]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// East Asian wide and fullwidth blocks, roughly: Hangul Jamo, CJK, kana, Hangul syllables, compatibility and fullwidth forms.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Cells that text takes in a terminal. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of unicodeTables().graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (unicodeTables().emoji.test(grapheme) || WIDE.test(grapheme)) return 2;
  return ZERO_WIDTH.test(grapheme) ? 0 : 1;
}

/** Cuts text to a width, with an ellipsis when something is missing. */
export function fit(text: string, widthCols: number): string {
  if (widthOf(text) <= widthCols) return text;
  let width = 0;
  let kept = "";
  for (const { segment } of unicodeTables().graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > widthCols - 1) break;
    kept += segment;
  }
  return widthCols > 0 ? `${kept}…` : "";
}

export function padTo(text: string, widthCols: number): string {
  return text + " ".repeat(Math.max(0, widthCols - widthOf(text)));
}

/** Milliseconds for people: "850 ms", "1.2 s", "48 s", "3 min", "2 h", "4 d". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 2 * 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 48 * 3_600_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

/** The time of day here, for lines of a feed: "14:07:59". */
export function clockTime(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}
