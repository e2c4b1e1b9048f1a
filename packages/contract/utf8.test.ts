import { expect, test } from "vitest";
import { unfinishedUtf8Bytes } from "./utf8.ts";

test("an unfinished character is what is missing bytes at the end", () => {
  for (const character of ["a", "é", "─", "漢", "👍"]) {
    const bytes = new TextEncoder().encode(`x${character}`);
    for (let length = 0; length <= bytes.length; length++) {
      const inside = length > 1 && length < bytes.length ? length - 1 : 0;
      expect(unfinishedUtf8Bytes(bytes.subarray(0, length)), `${character} ${length}`).toBe(inside);
    }
  }
});

test("bytes that are no UTF-8 are not held back for ever", () => {
  for (const bytes of [[0x80, 0x80, 0x80], [0xff, 0x41], [0xe2, 0x41], [0x80]])
    expect(unfinishedUtf8Bytes(Uint8Array.from(bytes))).toBe(0);
});
