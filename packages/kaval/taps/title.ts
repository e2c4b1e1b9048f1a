// OSC 0 and 2: the window title, as the emulator reports it (titles pushed and popped included).
import { plainText } from "./text.ts";

/** A title is shown in a tab and a palette row; nothing readable is longer. */
const TITLE_MAX_CHARS = 1_024;

/** The title to show; null when the program set none. */
export function parseTitle(payload: string): string | null {
  const title = plainText(payload, TITLE_MAX_CHARS).trim();
  return title === "" ? null : title;
}
