import { expect, test } from "vitest";
import { type FileKind, fileKind, hasText, pictureType } from "./kinds.ts";

const cases: Record<string, [kind: FileKind, text: boolean]> = {
  "docs/README.MD": ["markdown", true],
  "report.html": ["html", true],
  "a.b/logo.svg": ["picture", true],
  "shot.png": ["picture", false],
  "paper.pdf": ["pdf", false],
  html: ["text", true],
  ".svg/notes": ["text", true],
};

test.each(Object.entries(cases))("%s", (path, [kind, text]) => {
  expect([fileKind(path), hasText(path)]).toEqual([kind, text]);
});

test("only pictures are given a type that a browser opens", () => {
  expect(pictureType("a.svg")).toBe("image/svg+xml");
  expect(pictureType("a.html")).toBe("application/octet-stream");
});
