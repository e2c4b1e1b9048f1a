// Colours inside terminals: the page and pictures paint with them, and kaval answers a program's question with them.
// Pure data and one choice; the page's contrast.test.ts holds every scheme to a contrast of 4.5.

export interface TerminalColorScheme {
  background: string;
  foreground: string;
  cursor: string;
  cursorAccent: string;
  selectionBackground: string;
  /** black, red, green, yellow, blue, magenta, cyan, white, then the same bright. */
  ansi: readonly string[];
}

export type PageScheme = "dark" | "light";

export interface TerminalScheme {
  name: string;
  family: PageScheme;
  colors: TerminalColorScheme;
}

const NIGHT: TerminalScheme = {
  name: "Kolu Night",
  family: "dark",
  colors: {
    background: "#0e0f12",
    foreground: "#d9dbe0",
    cursor: "#d9dbe0",
    cursorAccent: "#0e0f12",
    selectionBackground: "#33415c",
    ansi: [
      "#1d1f24",
      "#ef6b73",
      "#8ecf7f",
      "#e0b35c",
      "#74a9f7",
      "#c594f2",
      "#5cc4c0",
      "#c3c6cd",
      "#7f848f",
      "#ff8b91",
      "#a9e09b",
      "#f2cc80",
      "#9cc4ff",
      "#dab4ff",
      "#84dcd7",
      "#f2f3f5",
    ],
  },
};

const PAPER: TerminalScheme = {
  name: "Kolu Paper",
  family: "light",
  colors: {
    background: "#ffffff",
    foreground: "#24262b",
    cursor: "#24262b",
    cursorAccent: "#ffffff",
    selectionBackground: "#cfe0ff",
    ansi: [
      "#24262b",
      "#b3212b",
      "#2b6e1c",
      "#865200",
      "#1b58b8",
      "#8030b5",
      "#0f6a67",
      "#5b5e67",
      "#6a6d76",
      "#c92a35",
      "#357f25",
      "#925b00",
      "#2a66cc",
      "#9240c8",
      "#177672",
      "#3a3d44",
    ],
  },
};

export const TERMINAL_SCHEMES: readonly TerminalScheme[] = [NIGHT, PAPER];

/**
 * A terminal's own scheme by name, else the page's. A name that is not among the known ones (another version's, or one of
 * the catalogue before it is loaded) counts as none.
 */
export function terminalScheme(
  name: string | null,
  page: PageScheme,
  known: readonly TerminalScheme[] = TERMINAL_SCHEMES,
): TerminalScheme {
  const own = name === null ? undefined : known.find((scheme) => scheme.name === name);
  return own ?? (page === "dark" ? NIGHT : PAPER);
}

/** Whether this name may be one of the catalogue (theme-catalogue.ts), which is not loaded before somebody needs it. */
export function isFromCatalogue(name: string | null): name is string {
  return name !== null && !TERMINAL_SCHEMES.some((scheme) => scheme.name === name);
}
