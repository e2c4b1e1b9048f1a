// Pictures in a terminal's output (SIXEL, and iTerm's inline images), bounded in memory. Loaded when the first terminal is
// shown, not before it: most output has none. They belong to the view: what padi keeps of a screen is its text.
import { type IImageAddonOptions, ImageAddon } from "@xterm/addon-image";

const OPTIONS: IImageAddonOptions = {
  // It must not answer programs: kaval does, once for all viewers.
  enableSizeReports: false,
  /** Pixels of one picture: about 2000 by 2000. */
  pixelLimit: 4_194_304,
  /** Megabytes of pixels that one terminal keeps; the oldest go. */
  storageLimit: 24,
  sixelSizeLimit: 8_000_000,
  iipSizeLimit: 8_000_000,
};

/** @public */
export function createImages(): ImageAddon {
  return new ImageAddon(OPTIONS);
}
