import { contrast, mix, oklchToHex } from "@kolu/contract/colour.ts";
import { TERMINAL_SCHEMES } from "@kolu/contract/terminal-schemes.ts";
import { expect, test } from "vitest";

const AA = 4.5;

// The page's types know no Node, and vitest empties style sheets that are imported: so the file is read, in a shape of our own.
const { readFileSync } = (await import("node:fs" as string)) as {
  readFileSync(path: URL, encoding: "utf8"): string;
};
const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function tokens(scheme: "dark" | "light"): Record<string, string> {
  const block = css.split(`:root[data-scheme="${scheme}"] {`)[1]!.split("\n}")[0]!;
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map((match) => [match[1]!, match[2]!]),
  );
}

test("contrast is that of WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

for (const scheme of ["dark", "light"] as const) {
  const token = tokens(scheme);
  const wash = Number.parseFloat(token.wash!) / 100;

  test(`${scheme}: every text role reads on every layer it lies on`, () => {
    for (const text of ["text-1", "text-2", "text-3"])
      for (const surface of ["surface-0", "surface-1", "surface-2"])
        expect([text, surface, contrast(token[text]!, token[surface]!) >= AA]).toEqual([text, surface, true]);
  });

  test(`${scheme}: every hue that carries words reads on the bars and cards`, () => {
    for (const hue of ["accent", "teal", "amber-text", "violet", "danger", "ok", "moonlit"])
      for (const surface of ["surface-0", "surface-1", "surface-2"])
        expect([hue, surface, contrast(token[hue]!, token[surface]!) >= AA]).toEqual([hue, surface, true]);
  });

  test(`${scheme}: the hues of marks stand out as pictures do`, () => {
    for (const hue of ["accent", "amber", "teal", "violet", "danger", "moonlit", "text-3"])
      expect([hue, contrast(token[hue]!, token["surface-1"]!) >= 3]).toEqual([hue, true]);
  });

  test(`${scheme}: a washed row still reads, and so does the word on a pill`, () => {
    for (const hue of ["violet", "amber"]) {
      const washed = mix(token[hue]!, token["surface-1"]!, wash);
      for (const text of ["text-1", "text-2"])
        expect([hue, text, contrast(token[text]!, washed) >= AA]).toEqual([hue, text, true]);
      expect(contrast(token[`on-${hue}`]!, token[hue]!)).toBeGreaterThanOrEqual(AA);
    }
    expect(contrast(token["on-accent"]!, token.accent!)).toBeGreaterThanOrEqual(AA);
  });
}

/** The roles of code.css and what stands beside a line, over the washes that a line may have. */
for (const scheme of ["dark", "light"] as const)
  test(`${scheme}: code reads on every line: as it is, added, removed, selected`, () => {
    const token = tokens(scheme);
    const washed = (hue: string, wash: string): string =>
      mix(token[hue]!, token["surface-0"]!, Number.parseFloat(token[wash]!) / 100);
    const grounds = {
      plain: token["surface-0"]!,
      added: washed("ok", "wash-line"),
      removed: washed("danger", "wash-line"),
      selected: washed("accent", "wash-selected"),
    };
    for (const role of [
      "text-1",
      "text-2",
      "text-3",
      "violet",
      "ok",
      "danger",
      "amber-text",
      "accent",
      "teal",
    ])
      for (const [name, ground] of Object.entries(grounds))
        expect([role, name, contrast(token[role]!, ground) >= AA]).toEqual([role, name, true]);
  });

const HUES = Array.from({ length: 360 }, (_, hue) => hue);

for (const scheme of ["dark", "light"] as const)
  test(`${scheme}: a branch's name reads in every hue, on a washed row too`, () => {
    const token = tokens(scheme);
    const wash = Number.parseFloat(token["wash-hover"]!) / 100;
    const grounds = [
      token["surface-1"]!,
      token["surface-3"]!,
      ...["violet", "amber"].map((hue) => mix(token[hue]!, token["surface-1"]!, wash)),
    ];
    const tooFaint = HUES.filter((hue) => {
      const text = oklchToHex(Number(token["hue-lightness"]), Number(token["hue-chroma"]), hue);
      return grounds.some((ground) => contrast(text, ground) < AA);
    });
    expect(tooFaint).toEqual([]);
  });

test("white letters read on every monogram", () => {
  expect(HUES.filter((hue) => contrast("#ffffff", oklchToHex(0.48, 0.1, hue)) < AA)).toEqual([]);
});

test("oklch is converted as browsers do", () => {
  expect(oklchToHex(1, 0, 0)).toBe("#ffffff");
  expect(oklchToHex(0.627955, 0.257683, 29.2339)).toBe("#ff0000");
});

for (const { name, colors, family } of TERMINAL_SCHEMES)
  test(`${name}: every colour of a program reads on the terminal's ground`, () => {
    // Black on a dark ground and white on a light one are grounds themselves: programs write on them, not with them.
    const ground = family === "dark" ? [0] : [];
    colors.ansi.forEach((color, index) => {
      if (!ground.includes(index))
        expect([index, contrast(color, colors.background) >= AA]).toEqual([index, true]);
    });
    expect(contrast(colors.foreground, colors.background)).toBeGreaterThan(10);
    expect(contrast(colors.foreground, colors.selectionBackground)).toBeGreaterThanOrEqual(AA);
  });
