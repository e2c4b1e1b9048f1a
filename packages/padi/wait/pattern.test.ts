import { expect, test } from "vitest";
import { findLine, parsePattern } from "./pattern.ts";

const refused = expect.objectContaining({ kind: "bad-pattern" });

test("the first line that matches is found", () => {
  expect(findLine(parsePattern("\\d+ tests"), ["no", "12 tests", "13 tests"])).toBe("12 tests");
  expect(findLine(parsePattern("^x$"), ["xy"])).toBeNull();
});

test("a pattern that is none, or that matches nothing at all, is refused", () => {
  expect(() => parsePattern("(")).toThrow(refused);
  expect(() => parsePattern("a*")).toThrow(refused);
});

test("a pattern that would search for ever is stopped and refused", () => {
  expect(() => findLine(parsePattern("^(a+)+$"), [`${"a".repeat(60)}b`])).toThrow(refused);
  expect(findLine(parsePattern("b"), ["ab"])).toBe("ab");
});
