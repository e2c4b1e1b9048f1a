// Which theme a new terminal takes. Pure; themes.ts knows the terminals and the catalogue.
import { contrast, oklab, oklabChroma, oklabDistance } from "@kolu/contract/colour.ts";
import type { NewTheme } from "@kolu/contract/preferences.ts";
import type { PageScheme, TerminalScheme } from "@kolu/contract/terminal-schemes.ts";

/** A calm ground has hardly a colour, and is nearly black or nearly white. */
const CALM = { chroma: 0.045, darkest: 0.34, lightest: 0.92, contrast: 7 };
/** Of so many of those that are farthest from the others, one is drawn: the farthest alone would come in the same order each time. */
const DRAWN_FROM = 8;
/** The ground is nearly all that one sees of a terminal from afar. */
const WEIGHTS = { background: 3, foreground: 1, ansi: 1 };

export interface ThemeQuestion {
  policy: NewTheme;
  page: PageScheme;
  /** The theme of the terminal that it is made from; undefined when there is none. */
  origin: string | null | undefined;
  /** What the terminals that are there are painted with. */
  taken: readonly TerminalScheme[];
  catalogue: readonly TerminalScheme[];
  /** 0 … 1, without 1. */
  random: number;
}

/** The name of the theme; null: none of its own. */
export function chooseTheme({
  policy,
  page,
  origin,
  taken,
  catalogue,
  random,
}: ThemeQuestion): string | null {
  switch (policy.kind) {
    case "page":
      return null;
    case "fixed":
      return policy.themeName;
    case "inherit":
      return origin ?? null;
    case "shuffle": {
      const far = catalogue
        .filter((theme) => theme.family === page && isCalm(theme))
        .map((theme) => ({ theme, distance: distanceToNearest(theme, taken) }))
        .sort((a, b) => b.distance - a.distance)
        .slice(0, taken.length === 0 ? undefined : DRAWN_FROM);
      return far[Math.floor(random * far.length)]?.theme.name ?? null;
    }
    default:
      return policy satisfies never;
  }
}

/** One can look at it all day: no colour of its own behind the text, and text that stands out from it. */
export function isCalm({ family, colors }: TerminalScheme): boolean {
  const [lightness] = oklab(colors.background);
  const plain = family === "dark" ? lightness <= CALM.darkest : lightness >= CALM.lightest;
  return (
    plain &&
    oklabChroma(colors.background) <= CALM.chroma &&
    contrast(colors.foreground, colors.background) >= CALM.contrast
  );
}

/** How unlike two themes look. */
export function themeDistance(a: TerminalScheme, b: TerminalScheme): number {
  const ansi = a.colors.ansi.map((color, index) => oklabDistance(color, b.colors.ansi[index]!));
  return (
    WEIGHTS.background * oklabDistance(a.colors.background, b.colors.background) +
    WEIGHTS.foreground * oklabDistance(a.colors.foreground, b.colors.foreground) +
    (WEIGHTS.ansi * ansi.reduce((sum, each) => sum + each, 0)) / ansi.length
  );
}

function distanceToNearest(theme: TerminalScheme, others: readonly TerminalScheme[]): number {
  return Math.min(...others.map((other) => themeDistance(theme, other)));
}
