import { expect, test } from "vitest";
import { ranked, scoreOf } from "./match.ts";

const entry = (title: string, ...words: string[]) => ({ title, words });
const best = (query: string, ...titles: string[]): string[] =>
  ranked(
    titles.map((title) => entry(title)),
    query,
  ).map(({ entry: { title } }) => title);

test("nothing typed means everything, in its order", () => {
  expect(best(" ", "b", "a")).toEqual(["b", "a"]);
});

test("a name that begins as typed comes before one that only holds it", () => {
  expect(best("fit", "Outfit", "Profit fit", "Fit everything", "fit", "Other")).toEqual([
    "fit",
    "Fit everything",
    "Profit fit",
    "Outfit",
  ]);
});

test("several words may stand anywhere in what it is known by", () => {
  const shop = entry("checkout-steps", "shop", "/home/me/shop", "Needs you");
  expect(scoreOf(shop, "shop needs")).toBe(30);
  expect(scoreOf(shop, "hop eeds")).toBe(20);
  expect(scoreOf(shop, "shop finished")).toBeNull();
});

test("initials are enough", () => {
  expect(scoreOf(entry("New terminal"), "nt")).toBe(10);
  expect(scoreOf(entry("New terminal"), "neter")).toBe(10);
  expect(scoreOf(entry("New terminal"), "tn")).toBeNull();
});
