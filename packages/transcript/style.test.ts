import { contrast } from "@kolu/contract/colour.ts";
import { expect, test } from "vitest";
import { PALETTES, STYLE } from "./style.ts";

/** Which text stands on which surface. */
const PAIRS: readonly [text: string, surfaces: string[]][] = [
  ["text", ["page", "card", "sunken", "you-wash", "added-wash", "removed-wash"]],
  ["soft", ["page", "card", "hover", "sunken"]],
  ["faint", ["page", "card", "sunken", "you-wash", "added-wash", "removed-wash"]],
  ["accent", ["page", "card"]],
  ["you", ["you-wash"]],
  ["agent", ["page"]],
  ["good", ["card", "hover", "sunken", "added-wash"]],
  ["bad", ["card", "hover", "sunken", "removed-wash", "flag-wash"]],
];

test("every text reads on its surface in both schemes (WCAG AA)", () => {
  for (const [scheme, palette] of Object.entries(PALETTES) as [string, Record<string, string>][])
    for (const [text, surfaces] of PAIRS)
      for (const surface of surfaces)
        expect([scheme, text, surface, contrast(palette[text]!, palette[surface]!) >= 4.5]).toEqual([
          scheme,
          text,
          surface,
          true,
        ]);
});

test("the style asks nobody for anything and uses only colours that it has", () => {
  expect(STYLE).not.toMatch(/url\(|@import|@font-face|expression|<\//);
  const known = new Set([...Object.keys(PALETTES.dark), "ui", "mono"]);
  for (const [, name] of STYLE.matchAll(/var\(--([\w-]+)\)/g)) expect(known).toContain(name);
  expect(Object.keys(PALETTES.light)).toEqual(Object.keys(PALETTES.dark));
});
