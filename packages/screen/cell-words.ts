// How the emulator (@xterm/headless 6.0.0) packs one cell into three words: content, foreground, background. Its own
// business and no public interface: whatever reads the words directly reads them by these.

export const WORDS_PER_CELL = 3;
export const HAS_CONTENT = 0x3fffff;
export const IS_COMBINED = 0x200000;
export const CODE_POINT = 0x1fffff;
export const WIDTH_SHIFT = 22;
export const ONE_COLUMN = 1 << WIDTH_SHIFT;
export const COLOR_MODE = 0x3000000;
export const BG_EXTENDED = 0x10000000;
