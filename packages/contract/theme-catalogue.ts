// The themes that iTerm2's users collected, as a package brings them: a few hundred, loaded when somebody first needs one.
// The only importer of that package.
import { luminance } from "./colour.ts";
import { TERMINAL_SCHEMES, type TerminalScheme } from "./terminal-schemes.ts";

let loading: Promise<readonly TerminalScheme[]> | null = null;

/** Ours first, then the others by name. Rejects when the file cannot be had; the next call tries again. */
export function loadThemes(): Promise<readonly TerminalScheme[]> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<readonly TerminalScheme[]> {
  // @ts-expect-error the package says no types; every text is parsed here.
  const { default: texts } = await import("@electerm/electerm-themes/dist/index.mjs");
  const themes = (texts as string[]).flatMap((text) => parseTheme(text) ?? []);
  const ours = new Set(TERMINAL_SCHEMES.map(({ name }) => name));
  return [
    ...TERMINAL_SCHEMES,
    ...themes
      .filter(({ name }) => !ours.has(name))
      .sort((a, b) => a.name.localeCompare(b.name, "en", { sensitivity: "base" })),
  ];
}

/** In the order of `TerminalColorScheme.ansi`. */
const HUES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const ANSI = [...HUES, ...HUES.map((hue) => `bright${hue[0]!.toUpperCase()}${hue.slice(1)}`)];

/** Lines of `key=value`; null when a colour is missing or is no #rrggbb. */
export function parseTheme(text: string): TerminalScheme | null {
  const values = new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const at = line.indexOf("=");
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
  const name = values.get("themeName");
  const color = (key: string): string => values.get(`terminal:${key}`)?.toLowerCase() ?? "";
  const colors = {
    background: color("background"),
    foreground: color("foreground"),
    cursor: color("cursor"),
    cursorAccent: color("cursorAccent"),
    selectionBackground: color("selectionBackground") || color("selection"),
    ansi: ANSI.map(color),
  };
  const all = [...Object.values(colors)].flat();
  if (!name || !all.every((value) => /^#[0-9a-f]{6}$/.test(value))) return null;
  // Where black and white letters would read equally well.
  return { name, family: luminance(colors.background) < 0.179 ? "dark" : "light", colors };
}
