import { expect, test } from "vitest";
import { matchPrefix } from "./ids.ts";

const ids = ["aaaa1111", "aaaa2222", "bbbb", "bbbbcccc"];

test("an id is found by any unique prefix, whatever its letter case; an exact id wins over a longer one", () => {
  expect(matchPrefix("aaaa1", ids)).toEqual({ kind: "found", id: "aaaa1111" });
  expect(matchPrefix("AAAA2", ids)).toEqual({ kind: "found", id: "aaaa2222" });
  expect(matchPrefix("bbbb", ids)).toEqual({ kind: "found", id: "bbbb" });
});

test("several matches are listed, none and blank are none", () => {
  expect(matchPrefix("aaaa", ids)).toEqual({ kind: "ambiguous", ids: ["aaaa1111", "aaaa2222"] });
  expect(matchPrefix("c", ids)).toEqual({ kind: "none" });
  expect(matchPrefix("  ", ids)).toEqual({ kind: "none" });
});
