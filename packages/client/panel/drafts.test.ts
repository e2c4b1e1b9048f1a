import { expect, test } from "vitest";
import { parseDrafts, withDraft } from "./drafts.ts";

const all = (): boolean => true;

test("a draft is kept, an empty one is not, nor one of a terminal that is gone", () => {
  expect(withDraft({ a: "x" }, { id: "b", text: "y" }, all)).toEqual({ a: "x", b: "y" });
  expect(withDraft({ a: "x" }, { id: "a", text: "" }, all)).toEqual({});
  expect(withDraft({ a: "x" }, { id: "b", text: "y" }, (id) => id !== "a")).toEqual({ b: "y" });
});

test("what is no map of texts counts as absent", () => {
  expect(parseDrafts('{"a":"x","b":3}')).toEqual({ a: "x" });
  for (const text of [null, "{", "3", "null"]) expect(parseDrafts(text)).toEqual({});
});
