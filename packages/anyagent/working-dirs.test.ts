import { expect, it } from "vitest";
import type { SessionSearch } from "./plugin.ts";
import { workingDirsOf } from "./working-dirs.ts";

const search = (processCwd: string | null) => ({ cwd: "/p", processCwd }) as SessionSearch;

it("is where the process works, also where the line went there first, else what the shell told", () => {
  expect(workingDirsOf(search("/p/inner"), null)).toEqual(["/p/inner"]);
  expect(workingDirsOf(search(null), null)).toEqual(["/p"]);
});

it("is the one that the command names, from wherever it may have been started", () => {
  expect(workingDirsOf(search("/p/inner"), "/elsewhere")).toEqual(["/elsewhere"]);
  expect(workingDirsOf(search("/p"), "sub")).toEqual(["/p/sub"]);
  expect(workingDirsOf(search("/p/inner"), "sub")).toEqual(["/p/sub", "/p/inner/sub"]);
});
