import { expect, test } from "vitest";
import { hashName, hueOf } from "./colour.ts";

const known: Record<string, number> = { "": 0x811c9dc5, a: 0xe40c292c, foobar: 0xbf9cf968 };

for (const [name, hash] of Object.entries(known)) {
  test(`FNV-1a of ${JSON.stringify(name)} is the published one`, () => expect(hashName(name)).toBe(hash));
}

test("two spellings of one letter are one colour", () => {
  expect(hueOf("café")).toBe(hueOf("cafe\u0301"));
});

test("a hue is a whole degree of the circle", () => {
  for (const name of ["kolu", "web", "語", "a/b"]) {
    expect(hueOf(name)).toBeGreaterThanOrEqual(0);
    expect(hueOf(name)).toBeLessThan(360);
  }
});
