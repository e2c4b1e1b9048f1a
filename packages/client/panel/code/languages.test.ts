import { expect, test } from "vitest";
import { type Language, languageOf } from "./languages.ts";

const cases: Record<string, Language | null> = {
  "src/App.TSX": "tsx",
  "a/Dockerfile": "docker",
  Makefile: "make",
  "types.d.ts": "typescript",
  ".zshrc": "bash",
  "notes.txt": null,
  LICENSE: null,
  ts: null,
};

test.each(Object.entries(cases))("%s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});
