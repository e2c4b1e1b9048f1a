import { describe, expect, test } from "vitest";
import { contrast } from "./colour.ts";
import { TERMINAL_SCHEMES, terminalScheme } from "./terminal-schemes.ts";
import { loadThemes, parseTheme } from "./theme-catalogue.ts";

const HUES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const text = (background: string): string =>
  [
    "themeName=Mine = yours",
    `terminal:background=${background}`,
    "terminal:foreground=#EDEDED",
    "terminal:cursor=#ededed",
    "terminal:cursorAccent=#101010",
    "terminal:selection=#333333",
    ...HUES.map((hue, index) => `terminal:${hue}=#00000${index}`),
    ...HUES.map((hue, index) => `terminal:bright${hue[0]!.toUpperCase()}${hue.slice(1)}=#11111${index}`),
  ].join("\n");

describe("one theme", () => {
  test("has its colours in the order of the terminal's", () => {
    const theme = parseTheme(text("#101010"))!;
    expect(theme.name).toBe("Mine = yours");
    expect(theme.colors).toMatchObject({ foreground: "#ededed", selectionBackground: "#333333" });
    expect(theme.colors.ansi).toHaveLength(16);
    expect(theme.colors.ansi[4]).toBe("#000004");
    expect(theme.colors.ansi[12]).toBe("#111114");
  });

  test("is dark or light by its ground", () => {
    expect(parseTheme(text("#101010"))?.family).toBe("dark");
    expect(parseTheme(text("#fafafa"))?.family).toBe("light");
  });

  test("with a colour that is none is left out", () => {
    expect(parseTheme(text("black"))).toBeNull();
    expect(parseTheme(text("#101010").replace("terminal:cursor=", "terminal:curse="))).toBeNull();
  });
});

test("the catalogue is whole: hundreds, each with a name of its own, ours first", async () => {
  const themes = await loadThemes();
  expect(themes.length).toBeGreaterThan(300);
  expect(new Set(themes.map(({ name }) => name)).size).toBe(themes.length);
  expect(themes.slice(0, TERMINAL_SCHEMES.length)).toEqual(TERMINAL_SCHEMES);
  expect(themes.map(({ name }) => name)).toContain("Dracula");
  expect(themes.filter(({ family }) => family === "light").length).toBeGreaterThan(20);
  for (const { family, colors } of themes) {
    const [dark, light] = [contrast(colors.background, "#000000"), contrast(colors.background, "#ffffff")];
    expect(family).toBe(dark < light ? "dark" : "light");
  }
});

test("a name that nobody knows is the page's own scheme", async () => {
  const themes = await loadThemes();
  expect(terminalScheme("Dracula", "light", themes).colors.background).toBe("#1e1f29");
  expect(terminalScheme("Dracula", "light").name).toBe("Kolu Paper");
  expect(terminalScheme("of another time", "dark", themes).name).toBe("Kolu Night");
});
