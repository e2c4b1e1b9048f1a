import { expect, test } from "vitest";
import { bracketedPaste, keyBytes } from "./keys.ts";

const cases: Record<string, string | null> = {
  Enter: "\r",
  ENTER: "\r",
  esc: "\x1b",
  Space: " ",
  Up: "\x1b[A",
  "Shift-Tab": "\x1b[Z",
  "S-Tab": "\x1b[Z",
  "C-c": "\x03",
  "c-C": "\x03",
  "C-[": "\x1b",
  "C-_": "\x1f",
  "C-o": "\x0f",
  "C-Space": "\0",
  "M-a": "\x1ba",
  "M-A": "\x1bA",
  "M-Enter": "\x1b\r",
  "M-é": "\x1bé",
  Foo: null,
  "": null,
  "C-": null,
  "C-1": null,
  "C-é": null,
  "C-cc": null,
  "M-ab": null,
  constructor: null,
  toString: null,
  __proto__: null,
};

for (const [name, bytes] of Object.entries(cases)) {
  test(`the key ${JSON.stringify(name)} ${bytes === null ? "means nothing" : `is ${JSON.stringify(bytes)}`}`, () => {
    expect(keyBytes(name)).toBe(bytes);
  });
}

test("a prototype's name is no key", () => {
  expect(keyBytes("__proto__")).toBeNull();
});

test("text cannot leave its bracketed paste", () => {
  expect(bracketedPaste("a\nb")).toBe("\x1b[200~a\nb\x1b[201~");
  expect(bracketedPaste("a\x1b[201~rm -rf\r")).toBe("\x1b[200~arm -rf\r\x1b[201~");
  // Taking one marker out must not join its neighbours into another.
  expect(bracketedPaste("\x1b[20\x1b[201~1~rm\r").slice(6, -6)).not.toContain("\x1b[201~");
});
