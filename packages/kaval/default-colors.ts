// What colour queries are answered with until padi says which theme a terminal has.
import type { TerminalColors } from "@kolu/contract/kaval.ts";

export const DEFAULT_COLORS: TerminalColors = {
  foreground: "#d8dee9",
  background: "#0d1117",
  cursor: "#d8dee9",
};
