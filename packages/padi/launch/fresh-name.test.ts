import { expect, test } from "vitest";
import { worktreeNameProblem } from "../git/worktree-name.ts";
import { freshName } from "./fresh-name.ts";

test("a fresh name is two words that git takes and nobody has", () => {
  const taken = new Set<string>();
  for (let n = 0; n < 500; n++) {
    const name = freshName(taken);
    expect(name).toMatch(/^[a-z]+-[a-z]+(-\d+)?$/);
    expect(worktreeNameProblem(name)).toBeNull();
    expect(taken.has(name)).toBe(false);
    taken.add(name);
  }
});

test("where the dice fall on taken names alone, a number tells them apart", () => {
  const taken = new Set([freshName(new Set(), () => 0)]);
  const second = freshName(taken, () => 0);
  expect(second).toBe(`${[...taken][0]}-2`);
  expect(freshName(new Set([...taken, second]), () => 0)).toBe(`${[...taken][0]}-3`);
});
