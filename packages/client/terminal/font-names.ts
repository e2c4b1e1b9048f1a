// The fonts of terminals by name, for page and worker alike.

/** Stands behind the text font, which does not have these characters. */
export const BOX_FONT = "Kolu Box";
export const TEXT_FONT = "JetBrains Mono";
export const TERMINAL_FONT = `"${TEXT_FONT}", "${BOX_FONT}", "DejaVu Sans Mono", Menlo, monospace`;
/** The faces of the text font that a screen may need. */
export const TEXT_FACES = ["", "bold ", "italic ", "italic bold "].map(
  (style) => `${style}14px "${TEXT_FONT}"`,
);
