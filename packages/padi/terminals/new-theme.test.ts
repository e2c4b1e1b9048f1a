import type { NewTheme } from "@kolu/contract/preferences.ts";
import { type TerminalScheme, terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { loadThemes } from "@kolu/contract/theme-catalogue.ts";
import { describe, expect, test } from "vitest";
import { chooseTheme, isCalm, type ThemeQuestion, themeDistance } from "./new-theme.ts";

const catalogue = await loadThemes();
const named = (name: string): TerminalScheme => terminalScheme(name, "dark", catalogue);
const choose = (policy: NewTheme, given: Partial<ThemeQuestion> = {}): string | null =>
  chooseTheme({ policy, page: "dark", origin: undefined, taken: [], catalogue, random: 0.5, ...given });
const shuffle = (given: Partial<ThemeQuestion> = {}): string => choose({ kind: "shuffle" }, given)!;

test("with the page, it has none of its own; a fixed one is that one", () => {
  expect(choose({ kind: "page" }, { origin: "Dracula" })).toBeNull();
  expect(choose({ kind: "fixed", themeName: "nord" }, { origin: "Dracula" })).toBe("nord");
});

test("inherited is that of the terminal that it is made from, and none where there is no such terminal", () => {
  expect(choose({ kind: "inherit" }, { origin: "Dracula" })).toBe("Dracula");
  expect(choose({ kind: "inherit" }, { origin: null })).toBeNull();
  expect(choose({ kind: "inherit" })).toBeNull();
});

describe("shuffled", () => {
  test("is calm, and dark or light with the page, whatever is drawn", () => {
    for (const page of ["dark", "light"] as const)
      for (let random = 0; random < 1; random += 0.02) {
        const theme = terminalScheme(shuffle({ page, random }), page, catalogue);
        expect([theme.name, theme.family, isCalm(theme)]).toEqual([theme.name, page, true]);
      }
  });

  test("is never like one that is there, for as many as fit on a screen", () => {
    for (const page of ["dark", "light"] as const) {
      const taken = [terminalScheme(null, page)];
      for (let n = 0; n < 11; n += 1) {
        const next = terminalScheme(shuffle({ page, taken, random: (n * 0.37) % 1 }), page, catalogue);
        const nearest = Math.min(...taken.map((other) => themeDistance(next, other)));
        expect([n, next.name, nearest > 0.12]).toEqual([n, next.name, true]);
        taken.push(next);
      }
    }
  });

  test("is drawn from several, not always the same one", () => {
    const taken = [named("Dracula")];
    const drawn = new Set([0, 0.2, 0.4, 0.6, 0.8, 0.99].map((random) => shuffle({ taken, random })));
    expect(drawn.size).toBeGreaterThan(4);
    expect(drawn).not.toContain("Dracula");
  });

  test("is none where the catalogue has none that fits", () => {
    expect(choose({ kind: "shuffle" }, { catalogue: [] })).toBeNull();
  });
});

test("grounds that shout are not calm", () => {
  expect(["Kolu Night", "Dracula", "tokyonight", "nord-light"].map((name) => isCalm(named(name)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["Red Alert", "C64", "Blue Matrix", "Grass"].map((name) => isCalm(named(name)))).toEqual(
    Array(4).fill(false),
  );
});

test("a theme is no distance from itself, and the same from either side", () => {
  expect(themeDistance(named("Dracula"), named("Dracula"))).toBe(0);
  const there = themeDistance(named("Dracula"), named("nord"));
  expect(themeDistance(named("nord"), named("Dracula"))).toBeCloseTo(there, 12);
  expect(there).toBeLessThan(themeDistance(named("Dracula"), named("Kolu Paper")));
});
