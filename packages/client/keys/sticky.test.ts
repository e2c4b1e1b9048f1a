import { afterEach, expect, test } from "vitest";
import { toggleCtrl, typedBytes, useSticky, withCtrl } from "./sticky.ts";

afterEach(() => useSticky.setState({ ctrl: false }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ["c", 3],
  ["C", 3],
  ["[", 0x1b],
  [" ", 0],
  ["?", 0x7f],
])("Ctrl makes %j the byte %i", (text, code) => {
  expect(withCtrl(bytes(text))).toEqual(Uint8Array.of(code));
});

test.each(["1", "é", "ab", "\x1b[A", "\r"])("Ctrl means nothing with %j", (text) => {
  expect(withCtrl(bytes(text))).toBeNull();
});

test("it is held for one key, and waits for one that it means something with", () => {
  toggleCtrl();
  expect(typedBytes(bytes("\x1b[I"))).toEqual(bytes("\x1b[I"));
  expect(typedBytes(bytes("r"))).toEqual(Uint8Array.of(0x12));
  expect(typedBytes(bytes("r"))).toEqual(bytes("r"));
});
