import type { GitFacts } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { gitForTest } from "../../store/record-for-test.ts";
import { type PlaceWords, placeWords } from "./place-words.ts";

const cases: Record<string, [Partial<GitFacts>, PlaceWords]> = {
  "clean, without an upstream": [{}, { branch: "main", tree: "clean", upstream: null }],
  "changed and apart from its upstream": [
    { dirty: true, upstream: "origin/main", ahead: 2, behind: 1 },
    { branch: "main", tree: "uncommitted changes", upstream: "origin/main, 2 ahead, 1 behind" },
  ],
  pushed: [
    { upstream: "origin/main", ahead: 0, behind: 0 },
    { branch: "main", tree: "clean", upstream: "origin/main, up to date" },
  ],
  "detached, and not looked at yet": [
    { branch: null, dirty: null },
    { branch: "detached at abc1234", tree: null, upstream: null },
  ],
  "before the first commit": [
    { branch: null, head: null },
    { branch: "no commit yet", tree: "clean", upstream: null },
  ],
};

test.each(Object.entries(cases))("%s", (_name, [changed, words]) => {
  expect(placeWords({ ...gitForTest("app"), ...changed })).toEqual(words);
});
